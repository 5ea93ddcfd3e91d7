import { join } from 'node:path';
import { openSqliteStore } from './sqlite-store.ts';
import { describeStore } from './store.contract.ts';
import { createTemporaryDirectory } from './temporary-directory.ts';
import { unwrap } from './unwrap.ts';

describeStore('the SQLite store', async () => {
	const directory = createTemporaryDirectory();
	const store = unwrap(openSqliteStore({ path: join(directory.path, 'roost.db'), access: 'write' }));
	return {
		store,
		async [Symbol.asyncDispose]() {
			await store.close();
			directory[Symbol.dispose]();
		},
	};
});
