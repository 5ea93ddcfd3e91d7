// A session whose agent the test plays: it asks, a page answers, and the record says what was decided.
import { type AskRow, askRow } from '@roost/protocol/ask';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { AskId, SessionId } from '@roost/protocol/ids';
import { storedLine } from '@roost/protocol/stored-line';
import type { Locator, Page } from 'playwright-core';
import type { RawResponse } from '../api/raw-http.ts';
import type { PlayedAgent, RunnerProcess } from '../runner/runner-rig.ts';
import { waitFor } from '../wait-for.ts';

export type Asking = {
	readonly agent: PlayedAgent;
	readonly sessionId: SessionId;
	/** The agent's own id of the session. */
	readonly native: string;
	/** Resolves with the reply of the runner, once it was decided. */
	ask(tool: string, input: object): Promise<RawResponse>;
	/** The pending ask, once there is one. */
	pending(): Promise<AskRow>;
	/** Every event of the session, in order. */
	events(): Promise<FeedEvent[]>;
	decisions(): Promise<Extract<FeedEvent, { kind: 'permission.decision' }>['data'][]>;
};

type Reached = Pick<RunnerProcess, 'call' | 'openLaunch'>;

/** The most that one request reads. */
const PAGE = 1_000;

let sessions = 0;

/** `pid`: the process of the agent; without one it ends with the runner. */
export async function openAsking(roost: Reached, { prompt, pid }: { prompt?: string; pid?: number } = {}): Promise<Asking> {
	sessions += 1;
	const session_id = `5f0c8f7e-0000-4000-8000-${String(sessions).padStart(12, '0')}`;
	const agent = await roost.openLaunch(pid === undefined ? {} : { pid });
	await agent.report({ hook_event_name: 'SessionStart', session_id, source: 'startup' });
	if (prompt !== undefined) await agent.report({ hook_event_name: 'UserPromptSubmit', session_id, prompt });
	const { sessionId } = agent;

	async function events(): Promise<FeedEvent[]> {
		const read: FeedEvent[] = [];
		for (;;) {
			const { body } = await roost.call('GET', `/api/v1/sessions/${sessionId}/events?after=${read.length}&limit=${PAGE}`);
			const lines = storedLine.array().parse(JSON.parse(body));
			read.push(...lines.map(({ event }) => event));
			if (lines.length < PAGE) return read;
		}
	}

	return {
		agent,
		sessionId,
		native: session_id,
		ask: (tool_name, tool_input) => agent.report({ hook_event_name: 'PermissionRequest', session_id, tool_name, tool_input }),
		pending: () =>
			waitFor(async () => (await asksOf(roost)).find((ask) => ask.sessionId === sessionId), { what: 'the pending ask' }),
		events,
		decisions: async () => (await events()).flatMap((event) => (event.kind === 'permission.decision' ? [event.data] : [])),
	};
}

export async function asksOf(roost: Pick<RunnerProcess, 'call'>, all = false): Promise<AskRow[]> {
	return askRow.array().parse(JSON.parse((await roost.call('GET', `/api/v1/asks${all ? '?all=true' : ''}`)).body));
}

/** The card of an ask in the inbox. */
export function cardOf(page: Page, id: AskId): Locator {
	return page.locator(`li [data-ask="${id}"]`);
}
