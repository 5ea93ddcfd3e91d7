// The 33 hook events of Claude Code, and which of them Roost can gate.

export const HOOK_NAMES = [
	'PreToolUse',
	'PostToolUse',
	'PostToolUseFailure',
	'PostToolBatch',
	'Notification',
	'UserPromptSubmit',
	'UserPromptExpansion',
	'SessionStart',
	'SessionEnd',
	'Stop',
	'StopFailure',
	'SubagentStart',
	'SubagentStop',
	'PreCompact',
	'PostCompact',
	'PreModelSwitch',
	'PostModelSwitch',
	'PermissionRequest',
	'PermissionDenied',
	'Setup',
	'TeammateIdle',
	'TaskCreated',
	'TaskCompleted',
	'Elicitation',
	'ElicitationResult',
	'ConfigChange',
	'WorktreeCreate',
	'WorktreeRemove',
	'InstructionsLoaded',
	'CwdChanged',
	'FileChanged',
	'DirectoryAdded',
	'MessageDisplay',
] as const;

export type HookName = (typeof HOOK_NAMES)[number];

/** Hooks that hold a tool call until Roost answers. */
export const GATING_HOOKS: readonly HookName[] = ['PreToolUse', 'PermissionRequest'];

export function isGatingHook(name: string): boolean {
	return GATING_HOOKS.some((gating) => gating === name);
}

/** A WorktreeCreate hook replaces git, and FileChanged reports only the files it names. */
const LEFT_OUT: readonly HookName[] = ['WorktreeCreate', 'FileChanged'];
export const LISTENED_HOOKS: readonly HookName[] = HOOK_NAMES.filter((name) => !LEFT_OUT.includes(name));
