// The parrot's row of the matrix.
import { type AgentStage, UNKNOWN_WORD } from '../conformance/stage.contract.ts';
import { openParrotRig, parrotProgram, parrotWords } from './parrot-rig.contract.ts';

export const parrotStage: AgentStage = {
	id: 'parrot',
	title: 'Parrot',
	requirement: { name: 'parrot' },
	version: async () => '1.0.0',
	open: openParrotRig,
	words: parrotWords,
	program: () => [process.execPath, parrotProgram],
	unknownLine: JSON.stringify({ type: 'tomorrow', text: UNKNOWN_WORD }),
	observed: 'a parrot has no hooks',
	canary: async () => ({ guarded: false, reason: 'a parrot has no hooks' }),
};
