// A record on disk that holds what a test needs, written as a runner writes it.
import { openSqliteStore } from '@roost/store/sqlite-store';
import type { AppendRequest } from '@roost/store/store';
import { unwrap } from '../unwrap.ts';

export async function writeRecord(path: string, requests: readonly AppendRequest[]): Promise<void> {
	await using store = unwrap(openSqliteStore({ path, access: 'write' }));
	for (const request of requests) unwrap(await store.append(request));
}
