// The ids the agent itself gave the session, each with when and why it was first seen.
import type { FeedEventOf } from '@roost/protocol/feed/event';
import type { NativeId } from '@roost/protocol/session-row';
import { MAX_NATIVE_IDS } from './bounds.ts';

export function noteNativeId(nativeIds: NativeId[], event: FeedEventOf<'session.native'>): void {
	const { native_id: id, reason } = event.data;
	if (id === '' || nativeIds.some((known) => known.id === id)) return;
	nativeIds.push({ id, reason, since: event.ts });
	if (nativeIds.length > MAX_NATIVE_IDS) nativeIds.splice(1, 1);
}
