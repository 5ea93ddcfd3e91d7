// How the guard of each agent is proven, by name; an agent without a row has no guard that could be.
import { claudeCanary } from '../claude/canary.ts';
import { codexCanary } from '../codex/canary.ts';
import { copilotCanary } from '../copilot/canary.ts';
import { piCanary } from '../pi/canary.ts';
import type { CanaryAgent } from './canary.ts';

export const CANARIES: ReadonlyMap<string, CanaryAgent> = new Map<string, CanaryAgent>([
	['claude', claudeCanary],
	['codex', codexCanary],
	['pi', piCanary],
	['copilot', copilotCanary],
]);
