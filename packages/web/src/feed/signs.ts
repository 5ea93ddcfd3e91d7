// The sign and the tone of a row. The words beside it say the same, so that no meaning depends on a sign alone.
import type { RowEntry } from '@roost/core/views/row-list';

export type Tone = 'user' | 'agent' | 'ok' | 'warn' | 'bad' | 'busy' | 'dim';

export type Sign = { readonly sign: string; readonly tone: Tone };

export function signOf({ event, result, decision }: RowEntry): Sign {
	switch (event.kind) {
		case 'user.prompt':
			return { sign: '❯', tone: 'user' };
		case 'agent.message':
			return { sign: '◆', tone: 'agent' };
		case 'tool.pre':
			return result ? ofResult(result.kind) : ofCall(decision?.decision?.type);
		case 'tool.failure':
		case 'stop.failure':
		case 'runtime.error':
		case 'permission.denied':
			return { sign: '✗', tone: 'bad' };
		case 'permission.request':
		case 'question.request':
			return decision ? ofDecision(decision.decision?.type) : { sign: '◐', tone: 'warn' };
		case 'run.end':
		case 'runtime.status':
			return event.level === 'info' || event.level === 'debug' ? QUIET : { sign: '⚠', tone: 'warn' };
		default:
			return event.level === 'error' ? { sign: '✗', tone: 'bad' } : QUIET;
	}
}

const QUIET: Sign = { sign: '·', tone: 'dim' };

function ofResult(kind: string): Sign {
	return kind === 'tool.failure' ? { sign: '✗', tone: 'bad' } : { sign: '✓', tone: 'ok' };
}

/** Without a result: it runs, or was denied. */
function ofCall(decision: string | undefined): Sign {
	return decision === 'deny' ? { sign: '✗', tone: 'bad' } : { sign: '●', tone: 'busy' };
}

function ofDecision(type: string | undefined): Sign {
	if (type === 'allow') return { sign: '✓', tone: 'ok' };
	return type === 'deny' ? { sign: '✗', tone: 'bad' } : QUIET;
}
