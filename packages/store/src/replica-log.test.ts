import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describeReplicaLog } from './replica-log.contract.ts';
import { createReplicaLog, REPLICA_TABLES } from './replica-log.ts';

describeReplicaLog('a replica in memory', async () => {
	const db = new DatabaseSync(':memory:');
	db.exec(REPLICA_TABLES);
	return {
		log: createReplicaLog(db, ':memory:'),
		reopened: async () => createReplicaLog(db, ':memory:'),
		[Symbol.asyncDispose]: async () => db.close(),
	};
});

describeReplicaLog('a replica on disk', async () => {
	const directory = await createTempDir();
	const path = join(directory.path, 'replica.db');
	const open = () => {
		const db = new DatabaseSync(path);
		db.exec(`PRAGMA journal_mode = WAL; ${REPLICA_TABLES}`);
		opened.push(db);
		return createReplicaLog(db, path);
	};
	const opened: DatabaseSync[] = [];
	return {
		log: open(),
		reopened: async () => open(),
		async [Symbol.asyncDispose]() {
			for (const db of opened) db.close();
			await directory[Symbol.asyncDispose]();
		},
	};
});
