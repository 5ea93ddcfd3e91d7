// How the guard extension inside Pi asks the guard, and hears the verdict.
import { z } from 'zod';
import type { GuardedCall, GuardVerdict } from '../types.ts';
import { toNormalCall } from './tools.ts';

const asked = z.object({ toolName: z.string(), input: z.record(z.string(), z.unknown()), cwd: z.string() });

/** Null where it cannot be told, which is refused. */
function readCall(payload: unknown): GuardedCall | null {
	const parsed = asked.safeParse(payload);
	if (!parsed.success) return null;
	const { toolName: name, input, cwd } = parsed.data;
	const { tool_name: tool, tool_input } = toNormalCall({ name, input }, { cwd });
	return { tool, input: tool_input, cwd };
}

const DENIED = 2;

export const piGuardWire = {
	readCall,
	say: (verdict: GuardVerdict) => ({ stdout: JSON.stringify(verdict), exitCode: verdict.allowed ? 0 : DENIED }),
};
