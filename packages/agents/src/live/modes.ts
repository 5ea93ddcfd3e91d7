// The permission modes of a driven agent other than Claude: what becomes of a call that the gate did not object to.

/** `asks`: rules or people decide. `edits`: edits inside the project pass. `refuses`: only reading. `allows`: everything. */
type ModeRule = 'asks' | 'edits' | 'refuses' | 'allows';

/** In `dontAsk` the controller refuses what no rule allows, at the request for permission. */
export const LIVE_MODES: ReadonlyMap<string, ModeRule> = new Map<string, ModeRule>([
	['default', 'asks'],
	['acceptEdits', 'edits'],
	['plan', 'refuses'],
	['dontAsk', 'asks'],
	['bypassPermissions', 'allows'],
]);

/** A sentence that says what to do, or null where the mode can be had. */
export function refuseMode(mode: string): string | null {
	return LIVE_MODES.has(mode) ? null : `"${mode}" is not a permission mode: choose one of ${[...LIVE_MODES.keys()].join(', ')}.`;
}

/** Letters, digits and the signs that names of models have; never what could be read as a flag. */
const MODEL = /^[A-Za-z0-9][\w.:/@[\]-]{0,199}$/;

export function refuseModel(model: string | undefined): string | null {
	return model === undefined || MODEL.test(model) ? null : `"${model}" is not the name of a model.`;
}
