// Hooks in a file of their own in the user's Copilot folder, which needs no trusted folder.
import { agentFolder, ownFileHooks, toHookCommand, type UserHooksPlace } from '../../install/user-hooks.ts';
import { COPILOT_HOOKS } from '../observed-hooks.ts';

/** Copilot denies a call whose hook fails, even if Roost was removed. */
const NEVER_FAILS = ' || exit 0';
const TIMEOUT_S = 10;

export const COPILOT_USER_HOOKS = ownFileHooks({
	agent: 'copilot',
	folder: (env) => agentFolder(env, 'COPILOT_HOME', '.copilot'),
	path: ['hooks', 'roost.json'],
	toText,
	adds: `Adds ${COPILOT_HOOKS.length} hooks`,
});

function toText(place: UserHooksPlace): string {
	const hooks = COPILOT_HOOKS.map(({ native, hookName }) => [
		native,
		[{ type: 'command', bash: `${toHookCommand(place, 'copilot', hookName)}${NEVER_FAILS}`, timeoutSec: TIMEOUT_S }],
	]);
	return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
}
