// The permission modes of driven agents other than Claude: what happens to a call that no rule denied.

/** `asks`: rules or people decide. `edits`: edits inside the project are allowed. `refuses`: read-only. `allows`: everything. */
type ModeRule = 'asks' | 'edits' | 'refuses' | 'allows';

/** In `dontAsk` the controller denies what no rule allows, at the permission request. */
export const LIVE_MODES: ReadonlyMap<string, ModeRule> = new Map<string, ModeRule>([
	['default', 'asks'],
	['acceptEdits', 'edits'],
	['plan', 'refuses'],
	['dontAsk', 'asks'],
	['bypassPermissions', 'allows'],
]);

/** Null where the mode is supported. */
export function refuseMode(mode: string): string | null {
	return LIVE_MODES.has(mode) ? null : `"${mode}" is not a permission mode: choose one of ${[...LIVE_MODES.keys()].join(', ')}.`;
}

/** Characters of model names; never what could be read as a flag. */
const MODEL = /^[A-Za-z0-9][\w.:/@[\]-]{0,199}$/;

export function refuseModel(model: string | undefined): string | null {
	return model === undefined || MODEL.test(model) ? null : `"${model}" is not the name of a model.`;
}
