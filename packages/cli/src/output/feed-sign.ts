// The sign before the title of an event in printed lines; kinds without one have none.
import type { FeedEvent, FeedEventKind } from '@roost/protocol/feed/event';

export function feedSign(event: FeedEvent): string {
	switch (event.kind) {
		case 'run.end':
			return RUN_ENDS[event.data.status];
		case 'permission.decision':
			return event.data.decided_by === 'terminal' && event.data.decision_type !== 'deny'
				? '–'
				: DECISIONS[event.data.decision_type];
		case 'stop.decision':
			return DECISIONS[event.data.decision_type];
		case 'question.answer':
			return Object.keys(event.data.answers).length > 0 ? '✓' : '–';
		case 'runtime.status':
			return event.data.status === 'connected' ? '✓' : '⚠';
		default:
			return SIGNS[event.kind] ?? '';
	}
}

const RUN_ENDS = { completed: '✓', failed: '✗', aborted: '■' } as const;
const DECISIONS = { allow: '✓', deny: '✗', block: '✗', ask: '?', no_opinion: '–' } as const;

const SIGNS: { readonly [K in FeedEventKind]?: string } = {
	'run.start': '▶',
	'user.prompt': '❯',
	'agent.message': '◆',
	'tool.pre': '●',
	'tool.post': '⎿',
	'tool.failure': '⎿',
	'permission.request': '⚠',
	'permission.denied': '✗',
	'question.request': '?',
	'stop.request': '■',
	'stop.failure': '✗',
	'elicitation.request': '?',
	'subagent.start': '↳',
	'subagent.stop': '↳',
	'todo.add': '☐',
	'todo.update': '☐',
	'todo.done': '☑',
	'runtime.error': '✗',
	'unknown.hook': '?',
};
