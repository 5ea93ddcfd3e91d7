// What runs and what waits, in one look: for the page, and for whoever decides whether to ring.
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import { type Overview, overview } from '@roost/protocol/api/overview';
import type { AskRow } from '@roost/protocol/ask';
import { ok } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import type { Backend } from '../backend.ts';
import { jsonReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

const SHOWN_SESSIONS = 50;

export function overviewRoute({ runner, record, asks, launches }: Backend, watching: () => number): Route {
	return defineRoute(
		{
			method: 'GET',
			path: '/api/v1/overview',
			access: 'any',
			summary: 'What runs and what waits, escaped for showing',
			status: 200,
			params: nothing,
			query: nothing,
			body: noBody,
			reply: overview,
		},
		() => {
			const rows = record.sessions({});
			if (!rows.ok) return rows;
			const shown: Overview = {
				runner: { ...runner, name: sanitiseLine(runner.name) },
				watching: watching(),
				sessions: rows.value.slice(0, SHOWN_SESSIONS).map(toShownSession),
				enforced: [...launches.enforced()],
				asks: asks.list({}).map(toShownAsk),
			};
			return ok(jsonReply(shown));
		},
	);
}

function toShownSession(row: SessionRow): Overview['sessions'][number] {
	const { id, agent, status, gate, ownDialog, title, projectPath, lastEventAt } = row;
	return {
		id,
		agent: sanitiseLine(agent),
		status,
		gate,
		ownDialog,
		title: sanitiseLine(title),
		project: sanitiseLine(projectPath),
		lastEventAt,
	};
}

function toShownAsk({ id, sessionId, kind, tool, input, risk, openedAt, expiresAt }: AskRow): Overview['asks'][number] {
	const text = sanitiseBlock(JSON.stringify(input, null, 2));
	return { id, session: sessionId, kind, tool: sanitiseLine(tool), input: text, risk, openedAt, expiresAt };
}
