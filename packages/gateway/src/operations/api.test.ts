// Properties of every operation: who may call it, its input, and the size of its port.
import { AppError } from '@roost/protocol/app-error';
import { contract } from '@roost/protocol/contract/contract';
import { none, type Operation, ROLES, type Role } from '@roost/protocol/contract/operation';
import { deviceId } from '@roost/protocol/ids';
import { err } from '@roost/protocol/result';
import { createTestBackend } from '@roost/testkit/rigs/api/test-backend';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { feedHandlers } from '../handlers/feed.ts';
import { type Callable, callFlat, createApi } from './api.ts';
import { createCommandProgress } from './command-progress.ts';

describe('operations', () => {
	it('are denied without the required role, regardless of other roles', async () => {
		await using world = openApi();
		for (const one of world.api) {
			for (const role of ROLES) {
				const others = callerWith(ROLES.filter((other) => other !== role));
				const without = await one.call(NOTHING, one.operation.deviceOnly ? asDevice(others) : others);
				const refused = !without.ok && without.error.code === 'denied';
				expect.soft(refused, `${one.name} without ${role}`).toBe(one.operation.needs === role);
			}
		}
	});

	it('are denied without a credential, unless they are open', async () => {
		await using world = openApi();
		for (const { name, operation, call } of world.api) {
			const result = await call(NOTHING, { ...callerWith([]), via: 'nobody' });
			expect.soft(!result.ok && result.error.code === 'unauthorized', name).toBe(operation.needs !== 'none');
		}
	});

	it('have a parameter for each name in the path, and no name in two places', () => {
		for (const [name, operation] of operations()) {
			const inPath = [...operation.path.matchAll(/:(\w+)/g)].map(([, param]) => param);
			expect.soft(Object.keys(operation.params.shape).toSorted(), name).toEqual(inPath.toSorted());
			const places = [operation.params, operation.query, operation.body].flatMap((part) => namesIn(part));
			expect.soft(places.length, name).toBe(new Set(places).size);
		}
	});

	it('have a command id if and only if they are commands', () => {
		for (const [name, operation] of operations()) {
			const takesId = [operation.query, operation.body].some((part) => namesIn(part).includes('commandId'));
			expect.soft(takesId, name).toBe(operation.command ?? false);
		}
	});

	it('that read have no body and are not commands', () => {
		for (const [name, operation] of operations().filter(([, { method }]) => method === 'GET')) {
			expect.soft([operation.body === none, operation.command ?? false], name).toEqual([true, false]);
		}
	});

	it('are grouped into ports of at most eight', () => {
		for (const [name, port] of Object.entries(contract)) expect.soft(Object.keys(port).length, name).toBeLessThanOrEqual(8);
	});

	it('that change something are for people only, except for a fixed list', () => {
		const changing = operations().filter(([, { method, agentsMay }]) => method !== 'GET' && agentsMay);
		expect(changing.map(([name]) => name).toSorted()).toEqual([
			'launches.end',
			'launches.judge',
			'launches.open',
			'login.challenge',
			'projects.scan',
			'rules.history',
			'rules.test',
		]);
	});
});

describe('command', () => {
	it('runs once for each id, and a repeat gets the first result', async () => {
		await using world = openApi();
		const create = world.find('sessions.create');
		const input = { commandId: 'c1', projectId: '/p' };
		const first = await callFlat(create, input, callerWith(ROLES));
		expect(first).toMatchObject({ ok: true, value: { sessionId: 'driven-1' } });
		expect(await callFlat(create, input, callerWith(ROLES))).toEqual(first);
		expect(await callFlat(create, { ...input, commandId: 'c2' }, callerWith(ROLES))).toMatchObject({
			value: { sessionId: 'driven-2' },
		});
	});

	it('is a conflict if its id was used for another command', async () => {
		await using world = openApi();
		await callFlat(world.find('sessions.create'), { commandId: 'c1', projectId: '/p' }, callerWith(ROLES));
		const other = await callFlat(world.find('sessions.end'), { commandId: 'c1', id: 's1' }, callerWith(ROLES));
		expect(other).toMatchObject({ ok: false, error: { code: 'conflict' } });
	});
});

const NOTHING = { params: {}, query: {}, body: undefined };

function operations(): [string, Operation][] {
	return Object.entries<Record<string, Operation>>(contract).flatMap(([resource, port]) =>
		Object.entries(port).map(([name, operation]): [string, Operation] => [`${resource}.${name}`, operation]),
	);
}

/** The names accepted by a schema. */
function namesIn(schema: z.ZodType): string[] {
	const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
	const [form = json] = json.anyOf ?? json.oneOf ?? [];
	return Object.keys(typeof form === 'object' ? (form.properties ?? {}) : {});
}

function callerWith(roles: readonly Role[]): Caller {
	return { via: 'token', principal: { name: 'lea', face: 'test' }, roles, address: '127.0.0.1', origin: undefined };
}

function asDevice({ principal, roles, address, origin }: Caller): Caller {
	return { via: 'device', device: deviceId.parse('d012345678901234'), principal, roles, address, origin };
}

function openApi() {
	const world = createTestBackend();
	const { backend } = world;
	const answered = () => err(new AppError('not_found', 'A test answers this.'));
	const handlers = {
		...backend,
		feed: feedHandlers(backend),
		commands: { progress: answered },
		login: { ticket: answered, register: answered, challenge: answered, bearer: answered },
		devices: { list: answered, revoke: answered, revokeAll: answered },
		push: { key: answered, subscribe: answered, unsubscribe: answered, test: answered },
		server: { overview: answered, health: answered, metrics: answered, openApi: answered },
		runners: { list: answered },
	};
	const api = createApi(handlers, { receipts: backend.receipts, progress: createCommandProgress(() => 0) });
	const find = (name: string): Callable => api.find((one) => one.name === name) ?? expect.fail(name);
	return { api, find, [Symbol.asyncDispose]: world[Symbol.asyncDispose] };
}
