// Hostile strings in every string field of every interface of a real runner. The fields come from the schemas, so new ones are included.
import { existsSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { hookEventEnvelope } from '@roost/agents/hooks/envelope';
import { HOOK_NAMES } from '@roost/agents/hooks/hook-names';
import { KNOWN_AGENTS } from '@roost/agents/kinds';
import { hookPayloads } from '@roost/core/runtime/normal-form/hook-payloads';
import { clientFrame } from '@roost/protocol/api/stream-frames';
import { terminalClientFrame, terminalRow } from '@roost/protocol/api/terminals';
import { errorCode } from '@roost/protocol/app-error';
import { type AskRow, askRow } from '@roost/protocol/ask';
import { asks as askOperations } from '@roost/protocol/contract/asks';
import type { Operation } from '@roost/protocol/contract/operation';
import { rule } from '@roost/protocol/rule';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type HostileString, hostileStrings } from '../corpora/hostile-strings.ts';
import { connectNdjson } from '../rigs/agents/hook-rig.ts';
import { sendRaw } from '../rigs/api/raw-http.ts';
import { openRawStream, type RawStream } from '../rigs/api/raw-stream.ts';
import { openRawTerminal } from '../rigs/api/raw-terminal.ts';
import { type PlayedAgent, type RunnerProcess, startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { waitFor } from '../rigs/wait-for.ts';

/** Without the soak, each field gets every nth string, with another offset for each field. */
const EVERY = process.env.ROOST_SOAK ? 1 : 12;
const TIMEOUT = { timeout: 3_600_000 };
const NATIVE = '5f0c8f7e-0000-4000-8000-000000000001';

describe('hostile strings', () => {
	it('are at least sixty and all different', () => {
		const texts = hostileStrings('/canary').map(({ text }) => text);
		expect(new Set(texts).size).toBe(texts.length);
		expect(texts.length).toBeGreaterThanOrEqual(60);
	});

	it('have no effect in any field of any route', TIMEOUT, async () => {
		// Agents that do nothing: a proof with a real one takes seconds each time.
		const agents = Object.fromEntries(KNOWN_AGENTS.map(({ id }) => [id, { command: 'true' }]));
		await using world = await startWorld({ agents });
		const routes = await world.routes();
		expect(routes.length).toBeGreaterThanOrEqual(40);
		for (const [index, { name, send }] of routes.entries()) {
			for (const { name: string, text } of world.stringsFor(index)) {
				const { status, body } = await send(text);
				expectCalm(status, body, `${name}, ${string}`);
			}
		}
		await world.expectUnharmed();
	});

	it('have no effect in any header that is checked', TIMEOUT, async () => {
		await using world = await startWorld({});
		for (const [index, header] of ['host', 'origin', 'authorization', 'cookie', 'x-roost-face', 'content-type'].entries()) {
			for (const { name, text } of world.stringsFor(index).filter(({ text }) => /^[\x20-\x7e]{1,4000}$/.test(text))) {
				const headers = { ...world.roost.bearer, [header]: text };
				const { status, body } = await sendRaw({
					port: world.roost.port,
					method: 'POST',
					path: '/api/v1/rules',
					headers,
					body: '{}',
				});
				expect.soft(status, `${header}, ${name}`).toBeGreaterThanOrEqual(400);
				expectCalm(status, body, `${header}, ${name}`);
			}
		}
		await world.expectUnharmed();
	});

	it('have no effect in any frame of the stream', TIMEOUT, async () => {
		await using world = await startWorld({});
		const fields = [
			...stringFieldsOf(clientFrame),
			...callFields('asks.approve', askOperations.approve),
			...callFields('asks.answer', askOperations.answer),
		];
		expect(fields.length).toBeGreaterThanOrEqual(17);
		for (const [index, { field, place }] of fields.entries()) {
			for (const { name, text } of world.stringsFor(index)) {
				await using stream = await openRawStream({ port: world.roost.port, headers: world.roost.bearer });
				stream.send(await world.onRealAsk(place(text)));
				await expectAnswered(stream, `${field}, ${name}`);
			}
		}
		await world.expectUnharmed();
	});

	it('have no effect in any frame of a terminal', TIMEOUT, async () => {
		await using world = await startWorld({ pty: { shell: '/bin/cat' } });
		const body = { commandId: 'c', projectId: world.roost.folder };
		const { id } = terminalRow.parse(JSON.parse((await world.roost.call('POST', '/api/v1/terminals', body)).body));
		const fields = stringFieldsOf(terminalClientFrame);
		expect(fields.length).toBeGreaterThanOrEqual(4);
		for (const [index, { field, place }] of fields.entries()) {
			for (const { name, text } of world.stringsFor(index)) {
				await using terminal = await openRawTerminal({ port: world.roost.port, id, headers: world.roost.bearer, attach: null });
				terminal.send(place(text));
				terminal.send({ type: 'ping' });
				await terminal.frame('pong');
				for (const frame of terminal.frames) if (frame.type === 'refused') expectSentence(frame.error, `${field}, ${name}`);
			}
		}
		await world.expectUnharmed();
	});

	it('have no effect in any field of any hook over HTTP', TIMEOUT, async () => {
		await using world = await startWorld({ sdk: { approvalTimeoutMs: 20 } });
		const fields = HOOK_NAMES.flatMap((hook) => stringFieldsOf(hookPayloads[hook]).map((placed) => ({ hook, ...placed })));
		expect(fields.length).toBeGreaterThanOrEqual(350);
		await inBatches(
			fields.flatMap(({ hook, field, place }, index) =>
				world.stringsFor(index, 48).map(({ name, text }) => async () => {
					const payload = z.record(z.string(), z.unknown()).parse(place(text));
					const { status, body } = await world.agent.report({ session_id: NATIVE, hook_event_name: hook, ...payload });
					if (status !== 204) expectCalm(status, body, `${hook}${field}, ${name}`);
				}),
			),
		);
		await world.expectUnharmed();
	});

	it('have no effect in any field of the envelope over the socket', TIMEOUT, async () => {
		await using world = await startWorld({ sdk: { approvalTimeoutMs: 20 } });
		const { secret, socketPath } = world.agent.hooks;
		const sample = { secret, request_id: 'r', ts: 1, session_id: NATIVE, hook_event_name: 'Notification', payload: {} };
		const fields: Placed[] = [
			...stringFieldsOf(hookEventEnvelope.omit({ ts: true }).partial()),
			{ field: '.secret', place: (text) => ({ secret: text }) },
			{ field: '', place: (text) => text },
		];
		for (const [index, { field, place }] of fields.entries()) {
			for (const { name, text } of world.stringsFor(index, 4)) {
				await using client = await connectNdjson(socketPath);
				const placed = place(text);
				client.send(typeof placed === 'object' ? { ...sample, ...only(placed, field) } : placed);
				client.send({ ...sample, request_id: 'last' });
				expectSocketReply(await client.next(), `${field}, ${name}`);
				await client.next();
			}
		}
		await world.expectUnharmed();
	});
});

/** The input of an operation, in the frame that calls it. */
function callFields(operation: string, { body }: Operation): Placed[] {
	return stringFieldsOf(body).map(({ field, place }) => ({
		field: `${operation} ${field}`,
		place: (text) => ({ type: 'call', id: 'x', operation, input: place(text) }),
	}));
}

function stringFieldsOf(type: z.ZodType): Placed[] {
	return stringFields(z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }));
}

const refusal = z.strictObject({ code: errorCode, message: z.string().min(1).max(500), winner: z.unknown().optional() });

/** Never a server error; a refusal is one sentence that is safe to display. */
function expectCalm(status: number, body: string, where: string): void {
	expect.soft(status, `${where}: ${body.slice(0, 300)}`).toBeLessThan(500);
	// Only the login returns a page to a browser, always the same one.
	if (body.startsWith('<!doctype html>')) expect.soft(where).toMatch(/^GET \/login\//);
	else if (status >= 400) expectSentence(JSON.parse(body), where);
}

function expectSentence(error: unknown, where: string): void {
	const parsed = refusal.safeParse(error);
	expect.soft(parsed.success ? '' : JSON.stringify(error).slice(0, 300), where).toBe('');
	expect.soft(parsed.data?.message ?? '', where).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Cs}\u200b-\u200f\ufeff]/u);
	expect.soft(parsed.data?.code, where).not.toBe('internal');
}

/** A refused frame, a result or nothing; and the connection still answers. */
async function expectAnswered(stream: RawStream, where: string): Promise<void> {
	stream.send({ type: 'ping' });
	await stream.frame('pong');
	for (const frame of stream.frames) {
		if (frame.type === 'error' || (frame.type === 'result' && !frame.ok)) expectSentence(frame.error, where);
	}
}

function expectSocketReply(reply: Record<string, unknown> | null, where: string): void {
	expect.soft(reply, where).toMatchObject({ ts: expect.any(Number) });
	if (reply && 'error' in reply) expectSentence(reply.error, where);
}

/** The one hostile field of a partial sample. */
function only(value: object | null, field: string): object {
	const name = field.split(/[.[]/)[1] ?? '';
	return Object.fromEntries(Object.entries(value ?? {}).filter(([key]) => name === '*' || key === name));
}

async function inBatches(jobs: readonly (() => Promise<void>)[]): Promise<void> {
	for (let at = 0; at < jobs.length; at += 64) await Promise.all(jobs.slice(at, at + 64).map((job) => job()));
}

const openApi = z.object({
	paths: z.record(
		z.string(),
		z.record(
			z.string(),
			z.object({
				parameters: z.array(z.object({ name: z.string(), in: z.enum(['path', 'query']), schema: z.unknown() })),
				requestBody: z.object({ content: z.object({ 'application/json': z.object({ schema: z.unknown() }) }) }).optional(),
			}),
		),
	),
});

type Sent = Promise<{ status: number; body: string }>;
type RouteField = { name: string; send(text: string): Sent };

async function startWorld(config: object) {
	await using stack = new AsyncDisposableStack();
	const started = stack.use(await startRunnerProcess({ config }));
	const roost = { ...started, call: callOnOneConnection(started, stack) };
	const agent = await roost.openLaunch();
	await agent.report({ hook_event_name: 'SessionStart', session_id: NATIVE, source: 'startup' });
	const canary = join(roost.folder, 'canary');
	const strings = hostileStrings(canary);
	const asks = createAsks(roost, agent);
	const owned = stack.move();
	return {
		roost,
		agent,
		onRealAsk: async (value: unknown) => onAsk(value, needsAsk(value) ? await asks.next() : undefined),
		stringsFor: (index: number, every = EVERY): HostileString[] => {
			const step = process.env.ROOST_SOAK ? 1 : every;
			return strings.filter((_, at) => at % step === index % step);
		},
		async routes(): Promise<RouteField[]> {
			const { paths } = openApi.parse(JSON.parse((await roost.call('GET', '/api/v1/openapi.json')).body));
			return Object.entries(paths).flatMap(([path, operations]) =>
				Object.entries(operations).flatMap(([method, operation]) => {
					const body = operation.requestBody?.content['application/json'].schema;
					const route = { method: method.toUpperCase(), path, body, asks, roost };
					return [...parameterFields(route, operation.parameters), ...bodyFields(route)];
				}),
			);
		},
		async expectUnharmed() {
			expect(existsSync(canary)).toBe(false);
			expect(await roost.call('GET', '/healthz')).toMatchObject({ status: 200 });
			// A polluted prototype would appear as an unknown field of this strict body.
			expect(await roost.call('POST', '/api/v1/rules/test', { tool: 'Bash', input: {} })).toMatchObject({ status: 200 });
			expect(roost.program.output().stderr).toBe('');
			expect(await roost.roost('verify')).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('intact') });
			expect((await roost.roost('feed', agent.sessionId, '--kind', 'runtime.error')).stdout).not.toContain('Roost failed');
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** The runner looks up the process behind each new connection, which takes longer than the requests. */
function callOnOneConnection({ port, bearer }: RunnerProcess, stack: AsyncDisposableStack): RunnerProcess['call'] {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	stack.defer(() => agent.destroy());
	const headers = { ...bearer, 'content-type': 'application/json' };
	return (method, path, body) =>
		sendRaw({ port, method, path, headers, agent, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

type Asks = ReturnType<typeof createAsks>;
type RouteUnderTest = { method: string; path: string; body: unknown; asks: Asks; roost: RunnerProcess };

function parameterFields(route: RouteUnderTest, parameters: z.infer<typeof openApi>['paths'][string][string]['parameters']) {
	return parameters.map(({ name, in: where }): RouteField => {
		const send = (text: string) => {
			const safe = encodeURIComponent(text.toWellFormed());
			const path = where === 'path' ? route.path.replace(`{${name}}`, safe) : `${route.path}?${name}=${safe}`;
			return route.roost.call(route.method, toPath(path), sampleBody(route.body));
		};
		return { name: `${route.method} ${route.path} ${where} ${name}`, send };
	});
}

function bodyFields({ method, path, body, asks, roost }: RouteUnderTest): RouteField[] {
	return (body === undefined ? [] : stringFields(body)).map(({ field, place }) => ({
		name: `${method} ${path} ${field}`,
		async send(text) {
			const placed = place(text);
			const ask = needsAsk(placed) ? await asks.next() : undefined;
			return await roost.call(method, toPath(path, ask), onAsk(placed, ask));
		},
	}));
}

function toPath(path: string, ask?: AskRow): string {
	return path.replaceAll(/\{\w+\}/g, ask?.sessionId ?? 'x');
}

function sampleBody(schema: unknown): unknown {
	return schema === undefined ? undefined : stringFields(schema)[0]?.place('x');
}

const answer = z.looseObject({ askId: z.string(), nonce: z.string() });
const command = z.looseObject({ input: answer });

function needsAsk(value: unknown): boolean {
	return answer.safeParse(value).success || command.safeParse(value).success;
}

/** An answer is processed only with the id and nonce of a pending ask, so these are filled in unless they are hostile. */
function onAsk(value: unknown, ask: AskRow | undefined): unknown {
	const framed = command.safeParse(value);
	if (framed.success) return { ...framed.data, input: { ...onAnswer(framed.data.input, ask), id: ask?.sessionId ?? 'x' } };
	const bare = answer.safeParse(value);
	return bare.success ? onAnswer(bare.data, ask) : value;
}

function onAnswer(given: z.infer<typeof answer>, ask: AskRow | undefined): z.infer<typeof answer> {
	const { askId, nonce } = given;
	return ask ? { ...given, askId: askId === 'x' ? ask.id : askId, nonce: nonce === 'x' ? ask.nonce : nonce } : given;
}

function createAsks(roost: RunnerProcess, agent: PlayedAgent) {
	let opened = 0;
	const pending = async () => z.array(askRow).parse(JSON.parse((await roost.call('GET', '/api/v1/asks')).body));

	async function open(): Promise<AskRow | undefined> {
		const tool_input = { command: `make ${++opened}` };
		const report = { hook_event_name: 'PermissionRequest', session_id: NATIVE, tool_name: 'Bash', tool_input };
		let decided = false;
		void agent.report(report).then(
			() => {
				decided = true;
			},
			// The runner ended during the wait, which the test reports elsewhere.
			() => undefined,
		);
		const found = await waitFor(async () => (await pending())[0] ?? (decided ? null : undefined), {
			what: 'an ask',
			everyMs: 2,
		});
		return found ?? undefined;
	}

	return {
		/** A pending ask. */
		async next(): Promise<AskRow> {
			const [waiting] = await pending();
			const ask = waiting ?? (await open()) ?? (await withoutRules(roost, open));
			if (!ask) throw new Error('no ask could be opened');
			return ask;
		},
	};
}

/** Answers created rules, and a hostile one may match everything. */
async function withoutRules<T>(roost: RunnerProcess, then: () => Promise<T>): Promise<T> {
	const rules = z.array(rule).parse(JSON.parse((await roost.call('GET', '/api/v1/rules')).body));
	for (const { id } of rules) await roost.call('DELETE', `/api/v1/rules/${id}`);
	return await then();
}

/** The part of JSON Schema that Roost's schemas use. */
type Schema = {
	types: readonly unknown[];
	constant: unknown;
	choices: readonly unknown[];
	alternatives: readonly Schema[];
	properties: readonly (readonly [string, Schema])[];
	items: Schema | undefined;
	/** Accepts properties of any name. */
	open: boolean;
};

/** A value with exactly one `hostile` string, and its field. */
type Placed = { readonly field: string; place(hostile: string): unknown };

/** Every string in the schema, including property names and strings inside of untyped values. */
function stringFields(schema: unknown): Placed[] {
	return alternatives(readSchema(schema)).flatMap((one) => fieldsOf(one, ''));
}

function readSchema(given: unknown): Schema {
	const { type, anyOf, oneOf, properties, items, additionalProperties, ...rest } = toRecord(given);
	return {
		types: [type].flat(),
		constant: rest.const,
		choices: toList(rest.enum),
		alternatives: [...toList(anyOf), ...toList(oneOf)].map(readSchema),
		properties: Object.entries(toRecord(properties)).map(([name, value]) => [name, readSchema(value)]),
		items: items === undefined ? undefined : readSchema(items),
		open: additionalProperties !== undefined && additionalProperties !== false,
	};
}

function toRecord(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null ? { ...value } : {};
}

function toList(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}

function alternatives(one: Schema): Schema[] {
	return one.alternatives.length === 0 ? [one] : one.alternatives.flatMap(alternatives);
}

function fieldsOf(one: Schema, path: string): Placed[] {
	if (one.constant !== undefined) return [];
	if (takes(one, 'object')) return inObject(one, path);
	if (one.items) return alternatives(one.items).flatMap((item) => inside(fieldsOf(item, `${path}[]`), (value) => [value]));
	// An enumeration must reject every other string.
	if (takes(one, 'string') || one.choices.length > 0) return [{ field: path, place: (hostile) => hostile }];
	return takes(one, undefined) ? [{ field: path, place: (hostile) => ({ [hostile]: [hostile] }) }] : [];
}

function inObject(one: Schema, path: string): Placed[] {
	const sample = toSample(one);
	const named = one.properties.flatMap(([name, value]) =>
		alternatives(value).flatMap((choice) =>
			inside(fieldsOf(choice, `${path}.${name}`), (placed) => ({ ...sample, [name]: placed })),
		),
	);
	const anyName = { field: `${path}.*`, place: (hostile: string) => ({ ...sample, [hostile]: hostile }) };
	// The field that rules check, where the schema does not specify the content.
	const command = { field: `${path}.command`, place: (hostile: string) => ({ ...sample, command: hostile }) };
	return one.open ? [...named, anyName, command] : named;
}

function inside(fields: Placed[], wrap: (value: unknown) => unknown): Placed[] {
	return fields.map(({ field, place }) => ({ field, place: (hostile) => wrap(place(hostile)) }));
}

function toSample(one: Schema): Record<string, unknown> {
	return Object.fromEntries(one.properties.map(([name, value]) => [name, sampleOf(value)]));
}

function sampleOf(one: Schema): unknown {
	const [first = one] = alternatives(one);
	if (first.constant !== undefined) return first.constant;
	if (first.choices.length > 0) return first.choices[0];
	if (first.items) return [sampleOf(first.items)];
	if (takes(first, 'object')) return first.properties.length > 0 ? toSample(first) : { command: 'ls' };
	if (takes(first, 'integer') || takes(first, 'number')) return 1;
	if (takes(first, 'boolean')) return true;
	return takes(first, 'null') ? null : 'x';
}

function takes({ types }: Schema, name: string | undefined): boolean {
	return types.includes(name);
}
