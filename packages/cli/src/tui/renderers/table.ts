// The renderer of every kind of event: a new kind breaks the build here.
import type { FeedEntry } from '@roost/core/views/feed-list';
import type { FeedEvent, FeedEventKind, FeedEventOf } from '@roost/protocol/feed/event';
import type { Row } from '../screen/row.ts';
import {
	agentMessage,
	promptExpansion,
	stopDecision,
	stopFailure,
	stopRequest,
	subagentStart,
	subagentStop,
	taskCompleted,
	taskCreated,
	todoAdd,
	todoDone,
	todoUpdate,
	userPrompt,
} from './conversation.ts';
import { permissionDecision, permissionDenied, permissionRequest } from './permissions.ts';
import { elicitationRequest, elicitationResult, questionAnswer, questionRequest } from './questions.ts';
import { type Context, type Renderer, type Sign, titled } from './renderer.ts';
import {
	compactPost,
	compactPre,
	modelSwitchPost,
	modelSwitchPre,
	notification,
	ruleAdded,
	runEnd,
	runStart,
	runtimeError,
	runtimeStatus,
	sessionSummary,
	unknownHook,
	usageUpdate,
} from './session.ts';
import { toolBatch, toolFailure, toolPost, toolPre } from './tools.ts';

type Table = { readonly [Kind in FeedEventKind]: Renderer<Kind> };

const RENDERERS: Table = {
	'session.start': titled('bullet', 'faint'),
	'session.end': titled('ended', 'faint'),
	'session.native': titled('bullet', 'faint'),
	'session.summary': sessionSummary,
	'run.start': runStart,
	'run.end': runEnd,
	'session.drive': titled('bullet', 'faint'),
	'session.renamed': titled('bullet', 'faint'),
	'session.archived': titled('bullet', 'faint'),
	'prompt.update': titled('bullet', 'faint'),
	'user.prompt': userPrompt,
	'prompt.expansion': promptExpansion,
	'agent.message': agentMessage,
	'agent.delta': titled('message', 'faint'),
	'message.display': titled('message', 'faint'),
	'usage.update': usageUpdate,
	'tool.pre': toolPre,
	'tool.post': toolPost,
	'tool.failure': toolFailure,
	'tool.delta': titled('working', 'faint'),
	'tool.batch': toolBatch,
	'permission.request': permissionRequest,
	'permission.decision': permissionDecision,
	'permission.denied': permissionDenied,
	'question.request': questionRequest,
	'question.answer': questionAnswer,
	'stop.request': stopRequest,
	'stop.decision': stopDecision,
	'stop.failure': stopFailure,
	'elicitation.request': elicitationRequest,
	'elicitation.result': elicitationResult,
	'subagent.start': subagentStart,
	'subagent.stop': subagentStop,
	'teammate.idle': titled('idle', 'faint'),
	'task.created': taskCreated,
	'task.completed': taskCompleted,
	'todo.add': todoAdd,
	'todo.update': todoUpdate,
	'todo.done': todoDone,
	notification,
	setup: titled('bullet', 'faint'),
	'compact.pre': compactPre,
	'compact.post': compactPost,
	'model.switch.pre': modelSwitchPre,
	'model.switch.post': modelSwitchPost,
	'config.change': titled('bullet', 'warn'),
	'worktree.create': titled('bullet', 'faint'),
	'worktree.remove': titled('bullet', 'faint'),
	'instructions.loaded': titled('bullet', 'faint'),
	'cwd.change': titled('bullet', 'faint'),
	'file.change': titled('bullet', 'faint'),
	'directory.add': titled('bullet', 'faint'),
	'runtime.error': runtimeError,
	'runtime.status': runtimeStatus,
	'terminal.open': titled('bullet', 'faint'),
	'terminal.close': titled('bullet', 'faint'),
	'rule.added': ruleAdded,
	'rule.removed': titled('bullet', 'accent'),
	'mcp.trusted': titled('bullet', 'accent'),
	'mcp.untrusted': titled('bullet', 'accent'),
	'device.registered': titled('bullet', 'accent'),
	'device.revoked': titled('bullet', 'accent'),
	'device.push': titled('bullet', 'accent'),
	'unknown.hook': unknownHook,
};

export function signOf<Kind extends FeedEventKind>(event: FeedEventOf<Kind>, entry: FeedEntry): Sign {
	return RENDERERS[event.kind as Kind].sign(event, entry);
}

export function lineOf<Kind extends FeedEventKind>(event: FeedEventOf<Kind>, context: Context): Row {
	return RENDERERS[event.kind as Kind].line(event, context);
}

export function bodyOf<Kind extends FeedEventKind>(
	event: FeedEventOf<Kind>,
	context: Context,
	width: number,
): Iterable<Row> | undefined {
	return RENDERERS[event.kind as Kind].body?.(event, context, width);
}

export function flows({ kind }: FeedEvent): boolean {
	return RENDERERS[kind].flows === true;
}

/** Expanded by default: as the kind of the result says, or that of the event. Decided requests are collapsed. */
export function opensByItself({ event, result, decision }: FeedEntry): boolean {
	if (decision && (!result || decision.data.decision_type === 'deny')) return false;
	return RENDERERS[(result ?? event).kind].opens === true;
}
