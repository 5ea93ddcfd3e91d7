// How the guard extension inside Pi asks the guard, and hears the verdict.
import { z } from 'zod';
import type { GuardWire } from '../guards/guard-wire.ts';
import { toNormalCall } from './tools.ts';

const asked = z.object({ toolName: z.string(), input: z.record(z.string(), z.unknown()), cwd: z.string() });

const DENIED = 2;

export const piGuardWire: GuardWire = {
	readCall(payload) {
		const parsed = asked.safeParse(payload);
		if (!parsed.success) return null;
		const { toolName: name, input, cwd } = parsed.data;
		const { tool_name: tool, tool_input } = toNormalCall({ name, input }, { cwd });
		return { tool, input: tool_input, cwd };
	},
	say: (verdict) => ({ stdout: JSON.stringify(verdict), exitCode: verdict.allowed ? 0 : DENIED }),
};
