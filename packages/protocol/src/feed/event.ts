// The feed: one discriminated union, composed from one file per family.
import { z } from 'zod';
import * as agents from './agents.ts';
import * as conversation from './conversation.ts';
import * as decisions from './decisions.ts';
import * as driving from './driving.ts';
import * as environment from './environment.ts';
import * as runtime from './runtime.ts';
import * as session from './session.ts';
import * as tools from './tools.ts';

export const feedEvent = z.discriminatedUnion('kind', [
	session.sessionStart,
	session.sessionEnd,
	session.sessionNative,
	session.sessionSummary,
	session.runStart,
	session.runEnd,
	driving.sessionDrive,
	driving.sessionRenamed,
	driving.sessionArchived,
	driving.promptUpdate,
	conversation.userPrompt,
	conversation.promptExpansion,
	conversation.agentMessage,
	conversation.agentDelta,
	conversation.messageDisplay,
	conversation.usageUpdate,
	tools.toolPre,
	tools.toolPost,
	tools.toolFailure,
	tools.toolDelta,
	tools.toolBatch,
	decisions.permissionRequest,
	decisions.permissionDecision,
	decisions.permissionDenied,
	decisions.questionRequest,
	decisions.questionAnswer,
	decisions.stopRequest,
	decisions.stopDecision,
	decisions.stopFailure,
	decisions.elicitationRequest,
	decisions.elicitationResult,
	agents.subagentStart,
	agents.subagentStop,
	agents.teammateIdle,
	agents.taskCreated,
	agents.taskCompleted,
	agents.todoAdd,
	agents.todoUpdate,
	agents.todoDone,
	environment.notification,
	environment.setup,
	environment.compactPre,
	environment.compactPost,
	environment.modelSwitchPre,
	environment.modelSwitchPost,
	environment.configChange,
	environment.worktreeCreate,
	environment.worktreeRemove,
	environment.instructionsLoaded,
	environment.cwdChange,
	environment.fileChange,
	environment.directoryAdd,
	runtime.runtimeError,
	runtime.runtimeStatus,
	runtime.terminalOpen,
	runtime.terminalClose,
	runtime.ruleAdded,
	runtime.ruleRemoved,
	runtime.mcpTrusted,
	runtime.mcpUntrusted,
	runtime.deviceRegistered,
	runtime.deviceRevoked,
	runtime.unknownHook,
]);

export type FeedEvent = z.infer<typeof feedEvent>;
export type FeedEventKind = FeedEvent['kind'];
export type FeedEventOf<K extends FeedEventKind> = Extract<FeedEvent, { kind: K }>;
/** The data of one kind. */
export type FeedData<K extends FeedEventKind> = FeedEventOf<K>['data'];
