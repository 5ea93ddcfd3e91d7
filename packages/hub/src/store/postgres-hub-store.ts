// A hub's storage in Postgres, for any number of nodes.
import type { Result } from '@roost/protocol/result';
import { createHubParts } from './hub-parts.ts';
import type { HubStore } from './hub-store.ts';
import { placeOf } from './postgres-error.ts';
import { createPostgresLogWriter } from './postgres-log-writer.ts';
import { preparePostgres } from './postgres-schema.ts';
import { createPostgresSql } from './postgres-sql.ts';
import { createPostgresWords } from './postgres-words.ts';
import { settle } from './sql.ts';

export function openPostgresHubStore({ url }: { url: string }): Promise<Result<HubStore>> {
	return settle(async () => {
		const place = placeOf(url);
		await preparePostgres(url, place);
		const sql = createPostgresSql(url, place);
		return { ...createHubParts(sql, createPostgresLogWriter(sql), createPostgresWords(sql)), [Symbol.asyncDispose]: sql.close };
	});
}
