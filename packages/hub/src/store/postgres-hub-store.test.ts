import { type PostgresRig, postgres, startPostgres } from '@roost/testkit/rigs/hub/postgres';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { afterAll, beforeAll, describe } from 'vitest';
import { describeHubStore } from './hub-store.contract.ts';
import { openPostgresHubStore } from './postgres-hub-store.ts';

describe.skipIf(cannotRun([postgres()]))('with Postgres', () => {
	let server: PostgresRig;
	beforeAll(async () => {
		server = await startPostgres();
	});
	afterAll(() => server[Symbol.asyncDispose]());

	describeHubStore('the Postgres store of a hub', async () => {
		const url = await server.createDatabase();
		let store = unwrap(await openPostgresHubStore({ url }));
		return {
			store,
			async reopen() {
				await store[Symbol.asyncDispose]();
				store = unwrap(await openPostgresHubStore({ url }));
				return store;
			},
			[Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
		};
	});
});
