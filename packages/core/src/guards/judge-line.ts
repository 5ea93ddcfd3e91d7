// The judge of shell lines: what an agent may run. Pure: paths that it cannot resolve are returned to be checked.
import { CANARY_COMMAND, CANARY_REASON } from './canary-command.ts';
import { whyNotRead } from './judge-reading.ts';
import { type BoundPath, judgeWriting } from './judge-writing.ts';
import { walkLine } from './walk-line.ts';

export type LineVerdict =
	| { allowed: false; reason: string }
	/** All of these must lie in the worktree. */
	| { allowed: true; paths: readonly BoundPath[] };

export type Judged = {
	writes: boolean;
	agentName: string;
	/** Absolute. */
	worktreePath: string;
	/** Lines that are always allowed, because the user who started the agent configured them. */
	gates: readonly string[];
};

export function judgeLine(line: string, who: Judged): LineVerdict {
	const text = line.trim();
	if (text.includes(CANARY_COMMAND)) return { allowed: false, reason: CANARY_REASON };
	if (text !== '' && who.gates.some((gate) => gate.trim() === text)) return { allowed: true, paths: [] };
	const known = new Map([['ROOST_WORKTREE_PATH', [{ value: who.worktreePath, sure: 'fixed' as const }]]]);
	const walked = walkLine(text, known);
	if (who.writes) {
		const found = judgeWriting(walked, who.agentName);
		return 'why' in found ? refuse(found.why) : { allowed: true, paths: found.paths };
	}
	const why = whyNotRead(walked);
	return why === undefined ? { allowed: true, paths: [] } : refuse(`${why}. You may read here, not change anything`);
}

function refuse(why: string): LineVerdict {
	return { allowed: false, reason: `Roost's guard refused this command: ${why}.` };
}
