// Keeps the world of the page up to date, from the API and the stream, and sends answers.
import type { StreamClient } from '@roost/client/stream-client';
import { NO_ASKS, watchAsks } from '@roost/client/world/ask-watch';
import { type DrivingWish, NO_DRIVING, watchDriving } from '@roost/client/world/driving-watch';
import type { Notice } from '@roost/client/world/notice';
import type { Pause } from '@roost/client/world/read-older';
import type { ApproveBody } from '@roost/protocol/api/answers';
import type { AskRow } from '@roost/protocol/ask';
import type { SessionId } from '@roost/protocol/ids';
import type { SessionTile } from '@roost/protocol/session-row';
import type { Away } from './away.ts';
import { watchReach } from './offline.ts';
import type { PageApi } from './page-api.ts';
import type { PageWorld, QueuedAnswer } from './page-world.ts';

export type PageSource = {
	world(): PageWorld;
	/** Called after every change. Returns the unsubscribe function. */
	onChange(handler: () => void): () => void;
	approve(ask: AskRow, answer: Omit<ApproveBody, 'askId' | 'nonce'>): void;
	answer(ask: AskRow, answers: Record<string, string>): void;
	/** Wishes about sessions; a failure is shown as a problem. */
	perform(wish: DrivingWish): Promise<void>;
	/** Its `driving` and `models` are read, now and after each lost connection. */
	watchDriving(id: SessionId): void;
	/** Called with a session that was started, resumed or forked here. Returns the unsubscribe function. */
	onSession(handler: (id: SessionId) => void): () => void;
	/** After a rule was added or removed. */
	readRules(): void;
	logOut(why: string): void;
	/** Whether the runner is connected to its hub. */
	setAway(away: Away | null): void;
	/** This command is queued at the hub, and delivered until then. */
	reportQueued(until: number): void;
	/** A queued command was cancelled; if it was an answer, its request can be answered again. */
	forgetQueued(commandId: string): void;
	/** Shown until the user dismisses it. */
	report(problem: string): void;
	dismissProblem(): void;
	/** Time passed. */
	tick(): void;
};

export type PageSourceDeps = {
	api: PageApi;
	stream: StreamClient;
	/** Where answers are sent: over the stream, which also repeats them, or with the API, where a command can be sealed. */
	answers: Pick<StreamClient, 'approve' | 'answer'>;
	now: () => number;
	newId: () => string;
	pause: Pause;
};

export function createPageSource({ api, stream, answers, now, newId, pause }: PageSourceDeps): PageSource {
	const handlers = new Set<() => void>();
	let world: PageWorld = {
		now: now(),
		connection: { state: 'connecting', since: now() },
		sessions: [],
		rules: [],
		...NO_ASKS,
		...NO_DRIVING,
		isRead: false,
		login: { state: 'starting' },
		offline: null,
		away: null,
		queuedAnswers: new Map(),
		queuedUntil: null,
		problem: null,
	};

	const reach = watchReach(now);

	function change(part: Partial<PageWorld>): void {
		world = { ...world, now: now(), offline: reach.offline(), ...part };
		for (const handler of handlers) handler();
	}

	/** Answered elsewhere is shown by the card itself. */
	function notify(notice: Notice): void {
		if (notice.type === 'failed' || notice.type === 'prompt-failed') change({ problem: notice.message });
		if (notice.type === 'command-queued') noteQueued(notice);
	}

	/** The card of a request says it itself. */
	function noteQueued({ ask, commandId, until }: Extract<Notice, { type: 'command-queued' }>): void {
		if (ask === undefined) change({ queuedUntil: until });
		else change({ queuedAnswers: new Map(world.queuedAnswers).set(ask, { commandId, until }) });
	}

	/** Those that reached the runner are decided in a moment, and a second answer loses. */
	function reopen(isOver: (queued: QueuedAnswer) => boolean): void {
		const left = new Map(world.queuedAnswers);
		for (const [ask, queued] of world.queuedAnswers) {
			if (!isOver(queued)) continue;
			left.delete(ask);
			asks.reopen(ask);
		}
		change({ queuedAnswers: left });
	}

	const isLive = () => world.connection.state === 'live';
	const asks = watchAsks({ api, stream: { onAsk: stream.onAsk, ...answers }, isLive, pause, notify, onChange: change });
	const began = new Set<(id: SessionId) => void>();
	const driving = watchDriving({
		api,
		stream,
		project: { path: '' },
		newId,
		notify,
		onChange: change,
		onSession(id) {
			for (const handler of began) handler(id);
		},
	});
	const rows = new Map<SessionId, SessionTile>();
	let isWhole = false;
	let hasAsks = false;
	stream.followSessions({}, { onRow: takeRow, onCaughtUp: showRows });
	stream.onStatus((connection) => {
		reach.note(connection);
		change({ connection, ...(connection.state === 'live' ? { login: { state: 'in' } as const } : {}) });
		if (connection.state === 'live') void Promise.all([readAsks(), readMachine()]);
	});

	/** An answer that is sent much later would be to something that its user no longer sees. */
	function unlessOffline(send: () => void): void {
		if (world.offline) change({ problem: 'Offline: answers are off until the runner can be reached.' });
		else send();
	}

	/** Rows of the first page come one by one, and are shown together. */
	function takeRow(row: SessionTile): void {
		rows.set(row.id, row);
		if (isWhole) showRows();
	}

	function showRows(): void {
		isWhole = true;
		change({ sessions: [...rows.values()], isRead: hasAsks });
	}

	async function readAsks(): Promise<void> {
		hasAsks = (await asks.catchUp()) || hasAsks;
		change({ isRead: isWhole && hasAsks });
	}

	/** What only the machine of the runner knows. */
	async function readMachine(): Promise<void> {
		await Promise.all([readRules(), driving.renew()]);
	}

	async function readRules(): Promise<void> {
		if (world.away) return;
		const rules = await api.rules.list();
		if (rules.ok) change({ rules: rules.value });
		else change({ problem: rules.error.message });
	}

	// Before the stream is connected, which takes a while on a slow line.
	void readAsks();

	return {
		world: () => world,
		onChange(handler) {
			handlers.add(handler);
			return () => void handlers.delete(handler);
		},
		approve: (ask, answer) =>
			unlessOffline(() => void asks.approve(ask, answer).then(() => (answer.persist ? readRules() : undefined))),
		answer: (ask, answers) => unlessOffline(() => void asks.answer(ask, answers)),
		perform: driving.perform,
		watchDriving: (id) => void driving.open(id),
		onSession(handler) {
			began.add(handler);
			return () => void began.delete(handler);
		},
		readRules: () => void readRules(),
		logOut: (why) => change({ login: { state: 'out', why } }),
		setAway(away) {
			if (away?.since === world.away?.since) return;
			const isBack = world.away !== null && away === null;
			change({ away });
			if (!isBack) return;
			reopen(() => true);
			if (isLive()) void readMachine();
		},
		reportQueued: (until) => change({ queuedUntil: until }),
		forgetQueued: (id) => reopen(({ commandId }) => commandId === id),
		report: (problem) => change({ problem }),
		dismissProblem: () => change({ problem: null, queuedUntil: null }),
		tick: () => change({}),
	};
}
