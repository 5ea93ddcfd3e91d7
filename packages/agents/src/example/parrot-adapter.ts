// How to launch, configure, recognise and read a parrot.
import { buildEnv, deployFile, removeAll } from '../base/deploy-file.ts';
import { quoteArgv } from '../base/shell-quote.ts';
import type { AgentAdapter } from '../base/types.ts';

export function createParrotAdapter(): AgentAdapter {
	return {
		id: 'parrot',
		title: 'Parrot',
		program: 'parrot',
		instructionPath: 'PARROT.md',
		traits: { hasTerminal: false, verifiesBeacon: false, connects: null, guard: 'none: a parrot has no hooks' },
		buildSpawnCommand: ({ program = ['parrot'], model, deployed }) =>
			quoteArgv([...program, `--model=${model}`, ...(deployed?.argv ?? [])]),
		buildPrintCommand: (prompt, model) => [
			'parrot',
			'--print',
			...(model === undefined ? [] : [`--model=${model}`]),
			'--',
			prompt,
		],
		async deployConfig(_worktreePath, overlay, { stateDir }) {
			if (!overlay) return { argv: [], env: {}, files: [], remove: async () => {} };
			const path = deployFile(stateDir, overlay.content, 'instructions.md');
			return { argv: [`--instructions=${path}`], env: {}, files: [path], remove: () => removeAll([path]) };
		},
		// It has no terminal.
		detectReady: () => ({ phase: 'ready' }),
		parseTranscript: async () => null,
		buildEnv,
	};
}
