// The agents that run a guard of ours as a program, by name; an agent that asks in another way has no row here.
import { claudeGuardWire } from '../claude/guard-wire.ts';
import { codexGuardWire } from '../codex/guard-wire.ts';
import { copilotGuardWire } from '../copilot/guard-wire.ts';
import type { GuardWire } from '../guards/guard-wire.ts';
import { piGuardWire } from '../pi/guard-wire.ts';

export const GUARD_WIRES: ReadonlyMap<string, GuardWire> = new Map<string, GuardWire>([
	['claude', claudeGuardWire],
	['codex', codexGuardWire],
	['pi', piGuardWire],
	['copilot', copilotGuardWire],
]);
