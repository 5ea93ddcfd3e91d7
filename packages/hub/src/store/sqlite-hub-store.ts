// A hub's storage in one SQLite file, for a hub that is one process.
import { resolve } from 'node:path';
import type { Result } from '@roost/protocol/result';
import type { FileSchema } from '@roost/store/migrations';
import { openForWriting } from '@roost/store/open-database';
import { attempt } from '@roost/store/store-error';
import { takeWriterLock } from '@roost/store/writer-lock';
import { createHubParts } from './hub-parts.ts';
import type { HubStore } from './hub-store.ts';
import { SQLITE_TABLES_1 } from './hub-tables.ts';
import { createSqliteLogWriter } from './sqlite-log-writer.ts';
import { createSqliteSql } from './sqlite-sql.ts';
import { createSqliteWords } from './sqlite-words.ts';
import { SQLITE_WORDS_2 } from './word-steps.ts';

/** "RSTH" */
export const HUB_SCHEMA: FileSchema = { applicationId: 0x52535448, steps: [SQLITE_TABLES_1, SQLITE_WORDS_2] };

export function openSqliteHubStore(options: { path: string }): Result<HubStore> {
	const path = resolve(options.path);
	const lock = takeWriterLock(path, 'hub');
	if (!lock.ok) return lock;
	const store = attempt(path, () => {
		const db = openForWriting(path, HUB_SCHEMA);
		const sql = createSqliteSql(db, path);
		return {
			...createHubParts(sql, createSqliteLogWriter(db, sql), createSqliteWords(db, sql)),
			async [Symbol.asyncDispose]() {
				await sql.close();
				lock.value.release();
			},
		};
	});
	if (!store.ok) lock.value.release();
	return store;
}
