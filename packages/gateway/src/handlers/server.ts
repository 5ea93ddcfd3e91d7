// Operations about the gateway itself: health, metrics, OpenAPI, and the overview.
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import type { Overview } from '@roost/protocol/api/overview';
import type { AskRow } from '@roost/protocol/ask';
import { ok } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import type { ApiHandlers } from '../operations/api.ts';
import type { Backend } from '../operations/backend.ts';
import { toOpenApi } from '../operations/openapi.ts';

const SHOWN_SESSIONS = 50;

export function serverHandlers(deps: {
	backend: Pick<Backend, 'runner' | 'record' | 'pending'>;
	watching: () => number;
	metrics: () => string;
}): ApiHandlers['server'] {
	const { runner, record, pending } = deps.backend;
	let openApi: Record<string, unknown> | undefined;
	return {
		health: () => ok({ ok: true }),
		metrics: () => ok(deps.metrics()),
		openApi() {
			openApi ??= toOpenApi(runner.version);
			return ok(openApi);
		},
		async overview(_, context) {
			const rows = await record.sessions({}, context);
			if (!rows.ok) return rows;
			const { asks, enforced } = await pending();
			return ok({
				runner: { ...runner, name: sanitiseLine(runner.name) },
				watching: deps.watching(),
				sessions: rows.value.slice(0, SHOWN_SESSIONS).map(toShownSession),
				enforced: [...enforced],
				asks: asks.map(toShownAsk),
			});
		},
	};
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
