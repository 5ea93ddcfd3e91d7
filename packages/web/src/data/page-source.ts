// Keeps the world of the page up to date, from the API and the stream, and sends answers.
import type { ApiClient } from '@roost/client/api-client';
import type { StreamClient } from '@roost/client/stream-client';
import { NO_ASKS, watchAsks } from '@roost/client/world/ask-watch';
import type { Notice } from '@roost/client/world/notice';
import type { ApproveBody } from '@roost/protocol/api/answers';
import type { AskRow } from '@roost/protocol/ask';
import type { SessionId } from '@roost/protocol/ids';
import type { SessionTile } from '@roost/protocol/session-row';
import type { Login, PageWorld } from './page-world.ts';

export type PageSource = {
	world(): PageWorld;
	/** Called after every change. Returns the unsubscribe function. */
	onChange(handler: () => void): () => void;
	approve(ask: AskRow, answer: Omit<ApproveBody, 'askId' | 'nonce'>): void;
	answer(ask: AskRow, answers: Record<string, string>): void;
	setLogin(login: Login): void;
	dismissProblem(): void;
	/** Time passed. */
	tick(): void;
};

export type PageSourceDeps = { api: ApiClient; stream: StreamClient; now: () => number };

export function createPageSource({ api, stream, now }: PageSourceDeps): PageSource {
	const handlers = new Set<() => void>();
	let world: PageWorld = {
		now: now(),
		connection: { state: 'connecting', since: now() },
		sessions: [],
		rules: [],
		...NO_ASKS,
		isRead: false,
		login: { state: 'starting' },
		problem: null,
	};

	function change(part: Partial<PageWorld>): void {
		world = { ...world, now: now(), ...part };
		for (const handler of handlers) handler();
	}

	/** Answered elsewhere is shown by the card itself. */
	function notify(notice: Notice): void {
		if (notice.type === 'failed') change({ problem: notice.message });
	}

	const asks = watchAsks({ api, stream, notify, onChange: change });
	const rows = new Map<SessionId, SessionTile>();
	let isWhole = false;
	let hasAsks = false;
	stream.followSessions({}, { onRow: takeRow, onCaughtUp: showRows });
	stream.onStatus((connection) => {
		if (connection.state === 'live') void Promise.all([readRules(), readAsks()]);
		change({ connection, ...(connection.state === 'live' ? { login: { state: 'in' } as const } : {}) });
	});

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
		await asks.catchUp();
		hasAsks = true;
		change({ isRead: isWhole });
	}

	async function readRules(): Promise<void> {
		const rules = await api.rules.list();
		if (rules.ok) change({ rules: rules.value });
		else change({ problem: rules.error.message });
	}

	return {
		world: () => world,
		onChange(handler) {
			handlers.add(handler);
			return () => void handlers.delete(handler);
		},
		approve: (ask, answer) => void asks.approve(ask, answer).then(() => (answer.persist ? readRules() : undefined)),
		answer: (ask, answers) => void asks.answer(ask, answers),
		setLogin: (login) => change({ login }),
		dismissProblem: () => change({ problem: null }),
		tick: () => change({}),
	};
}
