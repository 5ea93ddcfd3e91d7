// The normal form whole: every hook Roost knows, and the schema of its payload.
import type { z } from 'zod';
import { RUNTIME_ERROR, RUNTIME_STATUS, USAGE_REPORT } from '../event.ts';
import * as agents from './agents.ts';
import * as conversation from './conversation.ts';
import * as environment from './environment.ts';
import * as reports from './reports.ts';
import * as session from './session.ts';
import * as stops from './stops.ts';
import * as tools from './tools.ts';

export const hookPayloads = {
	SessionStart: session.sessionStart,
	SessionEnd: session.sessionEnd,
	Setup: session.setup,
	UserPromptSubmit: conversation.userPromptSubmit,
	UserPromptExpansion: conversation.userPromptExpansion,
	MessageDisplay: conversation.messageDisplay,
	PreToolUse: tools.preToolUse,
	PostToolUse: tools.postToolUse,
	PostToolUseFailure: tools.postToolUseFailure,
	PostToolBatch: tools.postToolBatch,
	PermissionRequest: tools.permissionRequest,
	PermissionDenied: tools.permissionDenied,
	Stop: stops.stop,
	StopFailure: stops.stopFailure,
	SubagentStart: agents.subagentStart,
	SubagentStop: agents.subagentStop,
	TeammateIdle: agents.teammateIdle,
	TaskCreated: agents.task,
	TaskCompleted: agents.task,
	Notification: environment.notification,
	PreCompact: environment.preCompact,
	PostCompact: environment.postCompact,
	PreModelSwitch: environment.modelSwitch,
	PostModelSwitch: environment.modelSwitch,
	Elicitation: environment.elicitation,
	ElicitationResult: environment.elicitationResult,
	ConfigChange: environment.configChange,
	WorktreeCreate: environment.worktreeCreate,
	WorktreeRemove: environment.worktreeRemove,
	InstructionsLoaded: environment.instructionsLoaded,
	CwdChanged: environment.cwdChanged,
	FileChanged: environment.fileChanged,
	DirectoryAdded: environment.directoryAdded,
	[RUNTIME_ERROR]: reports.runtimeError,
	[RUNTIME_STATUS]: reports.runtimeStatus,
	[USAGE_REPORT]: reports.usageReport,
};

export type HookName = keyof typeof hookPayloads;

/** The fields that Roost knows of a payload: agents may send more, adapters may not make up others. */
export type HookPayload<Name extends HookName> = OwnFields<z.infer<(typeof hookPayloads)[Name]>>;

type OwnFields<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** Refuses a field that the normal form does not have, also where it comes out of another object. */
export type Exactly<Payload, Name extends HookName> = Payload & {
	[Key in Exclude<keyof Payload, keyof HookPayload<Name>>]?: never;
};

export function isHookName(name: string): name is HookName {
	return Object.hasOwn(hookPayloads, name);
}
