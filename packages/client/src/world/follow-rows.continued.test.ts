import { randomUUID } from 'node:crypto';
import { foundProjectId } from '@roost/protocol/api/projects';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { sessionId, sessionOf } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import { startTestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { sampleAppend, sampleEvent, sampleSession, tokens } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { pause, waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { createApiClient } from '../api-client.ts';
import { createStreamClient } from '../stream-client.ts';
import { followRows, type SessionRows } from './follow-rows.ts';

describe('rows of a continued session', () => {
	it('are above those of the fork, up to the message it was forked at, and below those of its own parent', async () => {
		await using ui = await openRecord();
		await ui.store('first', messages('first', 4));
		await ui.store('second', messages('second', 1_200, 100), forked('first', 3, 100));
		await ui.store('third', messages('third', 2, 5_000), forked('second', 700, 5_000));
		const follow = ui.follow('third');
		await ui.until('the first page', ({ first }) => first === 1);
		expect(shown(follow.state())).toEqual(['third 1-2']);
		await ui.readUntil(follow, ['Forked from session second', 'third 1-2']);
		// The newest page is of messages after the fork.
		await ui.readUntil(follow, ['Forked from session second', 'third 1-2']);
		await ui.readUntil(follow, ['second 201-700', 'Forked from session second', 'third 1-2']);
		await follow.readOlder();
		await follow.readOlder();
		const whole = ['first 1-3', 'Forked from session first', 'second 1-700', 'Forked from session second', 'third 1-2'];
		await ui.readUntil(follow, whole);
		expect(follow.state()).toMatchObject({ hasOlder: true, loading: null, problem: null });
		await ui.readUntil(follow, whole);
		expect(follow.state()).toMatchObject({ hasOlder: false, loading: null, problem: null });
		const borders = [...follow.state().borders].map(([id, border]) => [sessionOf(id), border]);
		expect(borders).toEqual([
			['third', { how: 'forked', parentId: 'second' }],
			['second', { how: 'forked', parentId: 'first' }],
		]);
	});

	it('end when the session that resumed it began', async () => {
		await using ui = await openRecord();
		await ui.store('before', messages('before', 8));
		await ui.store('after', messages('after', 2, 6), { parentId: sessionId.parse('before'), startedAt: START + 6 });
		const follow = ui.follow('after');
		const state = await ui.readAll(follow);
		expect(shown(state)).toEqual(['before 1-6', 'Resumed from session before', 'after 1-2']);
		await ui.store('after', messages('after', 1, 6, 3), {});
		await ui.until('a new event', ({ head }) => head === 3);
		expect(shown(follow.state())).toEqual(['before 1-6', 'Resumed from session before', 'after 1-3']);
	});

	it('have a border but no rows if it is no longer on record', async () => {
		await using ui = await openRecord();
		await ui.store('after', messages('after', 2), { parentId: sessionId.parse('lost') });
		expect(shown(await ui.readAll(ui.follow('after')))).toEqual(['Resumed from lost', 'after 1-2']);
	});

	it('have a border with the place of a past session that an agent reports after the first page was read', async () => {
		await using ui = await openRecord();
		await ui.store('new', messages('new', 2));
		const follow = ui.follow('new');
		expect(shown(await ui.readAll(follow))).toEqual(['new 1-2']);
		await ui.until('the stream', ({ view }) => view !== undefined);
		await ui.reportNative(PAST);
		await ui.until('that it continues another one', ({ hasOlder }) => hasOlder);
		const state = await ui.readAll(follow);
		expect(shown(state)).toEqual(['Resumed from a past session', 'new 1-3']);
		expect([...state.borders.values()]).toEqual([{ how: 'resumed', nativeId: PAST, project: PROJECT.id }]);
	});

	it('have a border if an agent reports its past session while the beginning is read', async () => {
		await using ui = await openRecord();
		await ui.store('new', messages('new', 2));
		let reads = 0;
		const follow = ui.follow('new', async (input) => {
			const read = await ui.api.record.session(input);
			reads += 1;
			if (reads > 1) return read;
			await ui.until('the stream', ({ view }) => view !== undefined);
			await ui.reportNative(PAST);
			await ui.until('the report', ({ head }) => head === 3);
			return read;
		});
		expect(shown(await ui.readAll(follow))).toEqual(['Resumed from a past session', 'new 1-3']);
	});

	it('have a border without a place where the past session has no transcript', async () => {
		await using ui = await openRecord();
		await ui.store('new', messages('new', 2), { nativeIds: [{ id: 'other', reason: 'resume', since: START }] });
		const state = await ui.readAll(ui.follow('new'));
		expect(shown(state)).toEqual(['Resumed from a past session', 'new 1-2']);
		expect([...state.borders.values()]).toEqual([{ how: 'resumed', nativeId: 'other', project: undefined }]);
	});

	it('continue where they were after the runner was away', async () => {
		await using ui = await openRecord();
		await ui.store('before', messages('before', 8));
		await ui.store('after', messages('after', 2, 100), { parentId: sessionId.parse('before'), startedAt: START + 100 });
		const follow = ui.follow('after');
		await ui.until('the first page', ({ first }) => first === 1);
		await follow.readOlder();
		await ui.rig.stop();
		const read = follow.readOlder();
		await ui.until('the problem', ({ problem }) => problem?.code === 'cannot_start');
		await ui.rig.start();
		await read;
		expect(shown(follow.state())).toEqual(['before 1-8', 'Resumed from session before', 'after 1-2']);
		expect(follow.state().problem).toBe(null);
	});
});

const START = 1_700_000_000_000;
const PAST = '5f0c8f7e-0000-4000-8000-000000000001';
const PROJECT = { id: foundProjectId.parse('0123456789abcdef'), path: '/project' };

/** Each is said a moment after the one before, from this moment on. */
function messages(session: string, count: number, after = 0, from = 1): FeedEvent[] {
	return Array.from({ length: count }, (_, at) => {
		const data = { text: `${session} ${from + at}`, native_id: `${session}-${from + at}` };
		return { ...sampleEvent(session, from + at, { kind: 'agent.message', data }), ts: START + after + from + at };
	});
}

function forked(parent: string, upTo: number, after: number): Partial<SessionRow> {
	return {
		parentId: sessionId.parse(parent),
		startedAt: START + after,
		drive: { mode: 'sdk', cwd: '/project', copy_of: { native_id: `native-${parent}`, up_to: `${parent}-${upTo}` } },
	};
}

async function openRecord() {
	await using stack = new AsyncDisposableStack();
	const rig = stack.use(await startTestGateway({}, withProject));
	const api = createApiClient({ baseUrl: rig.url, token: rig.token, face: 'web', fetch });
	const timers = {
		after(ms: number, run: () => void) {
			const timer = setTimeout(run, ms / 20);
			return () => clearTimeout(timer);
		},
	};
	const { openSocket } = rig;
	const stream = stack.use(createStreamClient({ openSocket, timers, now: Date.now, random: Math.random, newId: randomUUID }));
	let state: SessionRows | undefined;
	const rows = new Map<string, SessionRow>();
	const owned = stack.move();
	return {
		rig,
		api,
		async store(id: string, events: readonly FeedEvent[], over: Partial<SessionRow> = {}) {
			const row = { ...(rows.get(id) ?? sampleSession(id)), ...over };
			rows.set(id, { ...row, events: row.events + events.length });
			const { entries } = unwrap(await rig.world.kept.append(sampleAppend(id, events, { session: rows.get(id) })));
			rig.world.report({ entries });
		},
		reportNative(id: string) {
			const data = { agent: 'claude', native_id: id, reason: 'resume' } as const;
			const event = sampleEvent('new', 3, { kind: 'session.native', data });
			return this.store('new', [event], { nativeIds: [{ id, reason: 'resume', since: START }] });
		},
		follow(id: string, session = api.record.session) {
			const follow = followRows({
				id: sessionId.parse(id),
				api: { ...api, record: { ...api.record, session } },
				stream,
				pause: (ms) => pause(ms / 20),
				onChange: (next) => (state = next),
			});
			owned.defer(() => follow.end());
			return follow;
		},
		until: (what: string, fits: (state: SessionRows) => boolean) =>
			waitFor(() => (state && fits(state) ? state : undefined), { what, seen: () => ({ ...state, rows: undefined }) }),
		async readUntil(follow: ReturnType<typeof followRows>, expected: readonly string[]) {
			await follow.readOlder();
			expect(shown(follow.state())).toEqual(expected);
		},
		async readAll(follow: ReturnType<typeof followRows>) {
			await this.until('the first page', ({ first }) => first === 1);
			while (follow.state().hasOlder) await follow.readOlder();
			return follow.state();
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

const withProject: Parameters<typeof startTestGateway>[1] = (backend) => {
	const project = { ...PROJECT, projectId: sampleSession('any').projectId, name: 'project', lastActivity: 0, pastSessions: 1 };
	const projects = [{ ...project, isDirty: false, hasClaudeConfig: false }];
	const amounts = { messages: 1, toolCalls: 0, tokens: tokens(0, 0), startedAt: START, lastActivity: START };
	const past = { agent: 'claude', nativeId: PAST, title: 'past', cwd: PROJECT.path, resumable: true, ...amounts };
	const list = () => ok({ projects, problems: [], scannedAt: 1, scanning: null });
	return { ...backend, projects: { ...backend.projects, list, sessions: () => ok({ sessions: [past], problems: [] }) } };
};

/** Neighbouring events of a session as a range, and the borders between sessions. */
function shown({ rows, borders }: SessionRows): string[] {
	const lines: { session: string; first: number; last: number }[] = [];
	const words = Array.from({ length: rows.end - rows.first }, (_, at) => rows.at(rows.first + at)?.event);
	for (const event of words) {
		if (!event) continue;
		const session = borders.has(event.event_id) ? event.title : sessionOf(event.event_id);
		const line = lines.at(-1);
		if (line?.session === session && line.last === event.offset - 1) line.last = event.offset;
		else lines.push({ session, first: event.offset, last: event.offset });
	}
	return lines.map(({ session, first, last }) => (first === 0 ? session : `${session} ${first}-${last}`));
}
