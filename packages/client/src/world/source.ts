// Makes the world of a face from the API and the stream of the runner, and performs its wishes over them.
import type { PastSession } from '@roost/protocol/api/projects';
import type { RuleTestBody } from '@roost/protocol/api/rules';
import type { AskRow } from '@roost/protocol/ask';
import type { SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import type { ApiClient } from '../api-client.ts';
import type { StreamStatus } from '../connection.ts';
import type { StreamClient } from '../stream-client.ts';
import { NO_ASKS, watchAsks } from './ask-watch.ts';
import { type DrivingWish, NO_DRIVING, watchDriving } from './driving-watch.ts';
import { followSession, type SessionFollow } from './follow-session.ts';
import type { Notice } from './notice.ts';
import { watchPast } from './past-watch.ts';
import type { Pause } from './read-older.ts';
import { watchStatus } from './status-watch.ts';
import { type HubOfRunner, NO_HUB, shownRunner, watchRunners } from './watch-runners.ts';
import type { Wish } from './wish.ts';
import type { World } from './world.ts';

export type Source = AsyncDisposable & {
	world(): World;
	/** Called after every change; must be cheap. */
	onChange(handler: () => void): void;
	perform(wish: Wish): void;
	/** Time passed. */
	tick(): void;
};

export type SourceDeps = {
	api: ApiClient;
	stream: StreamClient;
	toShown?: ((ask: AskRow) => Promise<string>) | undefined;
	/** The state of the runner process; a runner in this process is always up. */
	runner?: RunnerState;
	/** Where the runner is reached through one. */
	hub?: HubOfRunner | undefined;
	project: World['project'];
	now: () => number;
	/** Writes the session to a new file; resolves with one sentence about the result. */
	exportSession: (id: SessionId, file: string | undefined) => Promise<string>;
	notify: (notice: Notice) => void;
	/** Makes the id of a command. */
	newId: () => string;
	pause: Pause;
};

/** Search hits that are requested. */
const MOST_FOUND = 100;
const ALWAYS_UP: RunnerState = { state: () => 'up', problem: () => null };

export function createSource(deps: SourceDeps): Source {
	const { api, stream, now, notify, newId, pause, hub, runner = ALWAYS_UP } = deps;
	const fail = (message: string) => notify({ type: 'failed', message });
	const requested = new Set<SessionId>();
	let handler = () => {};
	let follow: SessionFollow | null = null;
	/** Number of sessions that we are starting. */
	let starting = 0;
	let over = false;
	let status: StreamStatus = { state: 'connecting', since: now() };
	let world: World = {
		now: now(),
		project: deps.project,
		connection: status,
		readAt: now(),
		sessions: [],
		...NO_ASKS,
		...NO_DRIVING,
		agentStatus: null,
		rules: [],
		ruleTest: null,
		found: null,
		past: null,
		open: null,
		...NO_HUB,
		...(hub && { runners: { shown: hub.shown, rows: hub.rows } }),
	};

	function change(part: Partial<World>): void {
		world = { ...world, now: now(), ...part };
		handler();
	}

	const asks = watchAsks({
		api,
		stream,
		toShown: deps.toShown,
		isLive: () => !over && status.state === 'live',
		pause,
		notify,
		onChange(facts) {
			change(facts);
			if (facts.asks?.some(isOfNewSession)) void refresh();
		},
	});
	const driving = watchDriving({
		api,
		stream,
		project: deps.project,
		newId,
		notify,
		onChange: change,
		onSession: (id) => void refresh().then(() => openSession(id)),
	});
	const agentStatus = watchStatus({ api: api.record, world: () => world, now, onChange: change });
	const past = watchPast({ api: api.projects, project: deps.project, now, pause, notify, onChange: change });
	const runners = hub && watchRunners({ hub, now, onChange: change });
	runners?.tick();
	stream.onSession((id) => void announce(id));
	stream.onStatus((connection) => {
		const before = status;
		status = connection;
		if (connection.state === 'live') cameBack(before);
		change({ connection: explainConnection(status, runner) });
	});

	/** An ask may be the first sign of its session or its title: each unknown session is read once. */
	function isOfNewSession({ sessionId }: AskRow): boolean {
		if (requested.has(sessionId) || world.sessions.some(({ id, title }) => id === sessionId && title !== '')) return false;
		requested.add(sessionId);
		return true;
	}

	function cameBack({ state, since }: StreamStatus): void {
		if (state === 'reconnecting') notify({ type: 'reconnected', afterMs: now() - since });
		void Promise.all([refresh(), driving.renew()]);
	}

	async function refresh(): Promise<void> {
		change({ readAt: now() });
		void readRules();
		const [sessions] = await Promise.all([api.record.sessions(), asks.catchUp()]);
		if (!sessions.ok) return fail(sessions.error.message);
		change({ sessions: sessions.value });
		const first = follow ? undefined : firstSession(sessions.value, world.asks, hub ? undefined : deps.project.path);
		if (first) openSession(first);
	}

	/** Sessions do not wait for them: behind a hub they are on a machine that may be slow or away. */
	async function readRules(): Promise<void> {
		const rules = await api.rules.list();
		if (rules.ok) change({ rules: rules.value });
		// The header says that it is offline.
		else if (shownRunner(world)?.online !== false) fail(rules.error.message);
	}

	async function announce(id: SessionId): Promise<void> {
		// A session that we started is opened anyway.
		const isOurs = starting > 0;
		await refresh();
		const session = world.sessions.find((row) => row.id === id);
		if (session && !isOurs && world.open?.id !== id) notify({ type: 'session-began', session });
	}

	async function start(wish: DrivingWish): Promise<void> {
		starting += 1;
		await driving.perform(wish);
		starting -= 1;
	}

	function openSession(id: SessionId): void {
		if (follow?.open().id === id) return;
		follow?.end();
		const row = world.sessions.find((candidate) => candidate.id === id);
		follow = followSession({
			id,
			row,
			api,
			stream,
			readPast: past.readEvents,
			pause,
			onChange: (open) => change({ open }),
		});
		change({ open: follow.open() });
		void driving.open(id);
	}

	function openPast(session: PastSession): void {
		if (follow?.open().past?.nativeId === session.nativeId) return;
		follow?.end();
		follow = past.follow(session, (open) => change({ open }));
		change({ open: follow.open() });
		driving.openPast();
	}

	async function testRule(body: RuleTestBody): Promise<void> {
		const result = await api.rules.test(body);
		if (result.ok) change({ ruleTest: { body, result: result.value } });
		else fail(result.error.message);
	}

	function exportOpen(file: string | undefined): void {
		const { open } = world;
		if (open && !open.past) void deps.exportSession(open.id, file).then((message) => notify({ type: 'exported', message }));
		else notify({ type: 'nothing-to-export', isPast: open !== null });
	}

	async function search(words: string): Promise<void> {
		change({ found: { words, hits: null, unsearched: 0 } });
		const found = await api.record.search({ words, limit: MOST_FOUND });
		if (!found.ok) fail(found.error.message);
		// The user may have started another search.
		if (world.found?.words === words) change({ found: found.ok ? { words, ...found.value } : null });
	}

	async function report(work: Promise<{ ok: boolean; error?: { message: string } }>): Promise<void> {
		const result = await work;
		if (!result.ok) fail(result.error?.message ?? 'This did not work.');
	}

	return {
		world: () => world,
		onChange(next) {
			handler = next;
		},
		perform(wish) {
			switch (wish.type) {
				case 'approve':
					return void asks.approve(wish.ask, wish.answer).then(() => (wish.answer.persist ? refresh() : undefined));
				case 'answer':
					return void asks.answer(wish.ask, wish.answers);
				case 'add-rule':
					return void report(api.rules.add(wish.rule)).then(refresh);
				case 'remove-rule':
					return void report(api.rules.remove({ id: wish.id })).then(refresh);
				case 'test-rule':
					return void testRule(wish.body);
				case 'search':
					return void search(wish.words);
				case 'resume-session':
				case 'fork-session':
				case 'new-session':
				case 'resume-past':
					return void start(wish);
				case 'read-past':
					return void past.read();
				case 'open-past':
					return openPast(wish.session);
				case 'adjust-session':
				case 'take-back':
				case 'rename-session':
				case 'archive-session':
				case 'end-session':
					return void driving.perform(wish).then(refresh);
				case 'export':
					return exportOpen(wish.file);
				case 'open-session':
					return openSession(wish.id);
				case 'refresh-sessions':
					return void refresh();
				default:
					return void driving.perform(wish);
			}
		},
		tick() {
			change({ connection: explainConnection(status, runner) });
			agentStatus.tick();
			runners?.tick();
		},
		async [Symbol.asyncDispose]() {
			over = true;
			follow?.end();
			await stream[Symbol.asyncDispose]();
		},
	};
}

/** What is known of the runner process. */
export type RunnerState = {
	/** `ended`: stopped on request. */
	state(): 'up' | 'ended' | 'killed';
	/** Why a killed runner could not be restarted. */
	problem(): string | null;
};

/** Adds to a lost connection why the runner is not reachable and what to do. */
export function explainConnection(status: StreamStatus, runner: RunnerState): StreamStatus {
	if (status.state === 'live' || status.state === 'incompatible') return status;
	const reason = runner.problem() ?? REASONS[runner.state()] ?? status.reason;
	return reason === undefined ? status : { ...status, reason };
}

const REASONS = {
	up: undefined,
	ended: 'it was ended; start it with "roost up"',
	killed: 'it was killed; starting it again',
} as const;

/** `sessions`: the newest first. `asks`: the oldest first; those of this project come before those of others. */
export function firstSession(
	sessions: readonly SessionRow[],
	asks: readonly AskRow[],
	/** Of all projects by default. */
	projectPath: string | undefined,
): SessionId | undefined {
	const here = sessions.filter((row) => (projectPath ?? row.projectPath) === row.projectPath && !row.archived);
	const ids = new Set(here.map(({ id }) => id));
	const known = new Set(sessions.map(({ id }) => id));
	const asking = asks.find(({ sessionId }) => ids.has(sessionId)) ?? asks.find(({ sessionId }) => known.has(sessionId));
	return asking?.sessionId ?? here.find(({ status }) => status !== 'ended')?.id ?? here[0]?.id;
}
