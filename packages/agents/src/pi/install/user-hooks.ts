// An extension in a file of its own in the user's Pi folder, which needs no trusted project.
import { programFile } from '@roost/core/process/program-files';
import { MARKER } from '../../install/installed-hooks.ts';
import { agentFolder, ownFileHooks, type UserHooksPlace } from '../../install/user-hooks.ts';
import type { InstalledKeys } from '../extension/installed-extension.ts';

export const PI_USER_HOOKS = ownFileHooks({
	agent: 'pi',
	folder: (env) => agentFolder(env, 'PI_CODING_AGENT_DIR', '.pi', 'agent'),
	path: ['extensions', 'roost.js'],
	toText,
	adds: 'Adds an extension',
});

/** Pi does not start if an extension fails to load: without Roost this one does nothing. */
function toText({ socketPath, secretsDir, startFile }: UserHooksPlace): string {
	const keys: InstalledKeys = { socket: socketPath, secrets: secretsDir, start: startFile };
	return `// ${MARKER} Written by "roost hooks install --agent pi"; "roost hooks uninstall --agent pi" removes it.
export default async function (pi) {
	try {
		const { openInstalled } = await import(${JSON.stringify(programFile('piInstalled'))});
		openInstalled(pi, ${JSON.stringify(keys)});
	} catch {
		// Roost is not there any more.
	}
}
`;
}
