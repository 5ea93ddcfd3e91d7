import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describeHubStore } from './hub-store.contract.ts';
import { openSqliteHubStore } from './sqlite-hub-store.ts';

describeHubStore('the SQLite store of a hub', async () => {
	const directory = await createTempDir();
	const path = join(directory.path, 'hub.db');
	let store = unwrap(openSqliteHubStore({ path }));
	return {
		store,
		async reopen() {
			await store[Symbol.asyncDispose]();
			store = unwrap(openSqliteHubStore({ path }));
			return store;
		},
		async [Symbol.asyncDispose]() {
			await store[Symbol.asyncDispose]();
			await directory[Symbol.asyncDispose]();
		},
	};
});
