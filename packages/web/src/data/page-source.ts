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
import { watchReach } from './offline.ts';
import type { PageApi } from './page-api.ts';
import type { PageWorld } from './page-world.ts';

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
	/** Shown until the user dismisses it. */
	report(problem: string): void;
	dismissProblem(): void;
	/** Time passed. */
	tick(): void;
};

export type PageSourceDeps = { api: PageApi; stream: StreamClient; now: () => number; newId: () => string; pause: Pause };

export function createPageSource({ api, stream, now, newId, pause }: PageSourceDeps): PageSource {
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
	}

	const isLive = () => world.connection.state === 'live';
	const asks = watchAsks({ api, stream, isLive, pause, notify, onChange: change });
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
		if (connection.state === 'live') void Promise.all([readRules(), readAsks(), driving.renew()]);
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

	async function readRules(): Promise<void> {
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
		report: (problem) => change({ problem }),
		dismissProblem: () => change({ problem: null }),
		tick: () => change({}),
	};
}
