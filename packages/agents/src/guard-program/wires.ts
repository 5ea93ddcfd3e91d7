// Guard protocols of agents that run the guard as a program.
import type { GuardWire } from '../base/types.ts';
import { claudeGuardWire } from '../claude/guard-wire.ts';
import { codexGuardWire } from '../codex/hook-output.ts';
import { copilotGuardWire } from '../copilot/tool-calls.ts';
import { piGuardWire } from '../pi/tools.ts';

export const GUARD_WIRES: ReadonlyMap<string, GuardWire> = new Map<string, GuardWire>([
	['claude', claudeGuardWire],
	['codex', codexGuardWire],
	['pi', piGuardWire],
	['copilot', copilotGuardWire],
]);
