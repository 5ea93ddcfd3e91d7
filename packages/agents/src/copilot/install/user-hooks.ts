// Hooks in a file of their own in the user's Copilot: there they run without a trusted folder.
import { join } from 'node:path';
import { ok } from '@roost/protocol/result';
import {
	agentFolder,
	checkAgentFolder,
	planOwnFile,
	toHookCommand,
	type UserHooks,
	type UserHooksPlace,
} from '../../install/user-hooks.ts';
import { COPILOT_HOOKS } from '../observed-hooks.ts';

/** Copilot refuses a call whose hook fails, also where Roost is gone. */
const NEVER_FAILS = ' || exit 0';
const TIMEOUT_S = 10;

export const COPILOT_USER_HOOKS: UserHooks = {
	folder: (env) => agentFolder(env, 'COPILOT_HOME', '.copilot'),
	async plan(place, isWanted) {
		const there = isWanted ? await checkAgentFolder(place.folder, 'copilot') : ok(undefined);
		if (!there.ok) return there;
		const path = join(place.folder, 'hooks', 'roost.json');
		const edits = await planOwnFile(path, isWanted ? toText(place) : null);
		return edits.ok ? ok({ edits: edits.value, summary: `Adds ${COPILOT_HOOKS.length} hooks in ${path}` }) : edits;
	},
};

function toText(place: UserHooksPlace): string {
	const hooks = COPILOT_HOOKS.map(({ native, hookName }) => [
		native,
		[{ type: 'command', bash: `${toHookCommand(place, 'copilot', hookName)}${NEVER_FAILS}`, timeoutSec: TIMEOUT_S }],
	]);
	return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
}
