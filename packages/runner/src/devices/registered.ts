// Which devices the record says are registered and not revoked: a fold of the runner's own stream.
import { AppError } from '@roost/protocol/app-error';
import { type RunnerId, streamId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { storedLine } from '@roost/protocol/stored-line';
import type { Store } from '@roost/store/store';

const PAGE = 1_000;

export function readRegistered(store: Pick<Store, 'read'>, runnerId: RunnerId): Result<ReadonlySet<string>> {
	const registered = new Set<string>();
	for (let after = 0; ; ) {
		const page = store.read({ stream: streamId.parse(`runner:${runnerId}`), after, limit: PAGE });
		if (!page.ok) return page;
		for (const entry of page.value) {
			const line = storedLine.safeParse(JSON.parse(entry.line));
			if (!line.success)
				return err(new AppError('corrupt', `Event ${entry.offset} of the runner is unreadable. Run "roost verify".`));
			const { event } = line.data;
			if (event.kind === 'device.registered') registered.add(event.data.device_id);
			if (event.kind === 'device.revoked') registered.delete(event.data.device_id);
			after = entry.offset;
		}
		if (page.value.length < PAGE) return ok(registered);
	}
}
