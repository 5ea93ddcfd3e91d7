// The guard itself: reads the call from stdin, judges it and answers. Every failure is a denial.
import { readFileSync } from 'node:fs';
import { isJsonObject, stringAt } from '../base/json-object.ts';
import type { GuardedCall, GuardOutput, GuardVerdict, HooksDef, QualityGate } from '../base/types.ts';
import { appendGuardLog } from '../guards/guard-log.ts';
import { judgeCall } from '../guards/judge-call.ts';
import { GUARD_WIRES } from './wires.ts';

/** Below the hook timeouts of agents. */
const DEADLINE_MS = 8_000;
const MAX_BYTES = 16 * 1024 * 1024;
const DENIED = 2;

const [, , agent = '', definitionPath = ''] = process.argv;
const wire = GUARD_WIRES.get(agent);
let ended = false;

// A user's own session with these settings is not guarded. An empty variable does not disable the guard.
if (process.env.ROOST_AGENT_NAME === undefined) process.exit(0);

process.on('uncaughtException', (cause) => giveUp(cause.message));
process.on('unhandledRejection', (cause) => giveUp(String(cause)));
setTimeout(() => giveUp('it took too long'), DEADLINE_MS);
readInput();

function readInput(): void {
	const parts: Buffer[] = [];
	let size = 0;
	process.stdin.on('data', (chunk: Buffer) => {
		size += chunk.length;
		if (size > MAX_BYTES) giveUp('the call is too long');
		else parts.push(chunk);
	});
	process.stdin.on('error', (cause) => giveUp(cause.message));
	process.stdin.on('end', () => {
		answer(Buffer.concat(parts).toString('utf8')).catch((cause: unknown) => giveUp(String(cause)));
	});
}

async function answer(text: string): Promise<void> {
	const payload: unknown = JSON.parse(text);
	const calls = [wire?.readCall(payload) ?? []].flat();
	const def = parseDefinition(JSON.parse(readFileSync(definitionPath, 'utf8')));
	if (def === undefined) return giveUp('its definition cannot be read');
	const tool = calls[0]?.tool ?? '';
	const verdict = calls.length === 0 ? refusal('the call cannot be read') : await judgeAll(def, calls);
	appendGuardLog(def.stateDir, { at: new Date().toISOString(), tool, ...verdict });
	end(verdict);
}

/** All or none. */
async function judgeAll(def: HooksDef, calls: readonly GuardedCall[]): Promise<GuardVerdict> {
	for (const call of calls) {
		const verdict = await judgeCall(def, call);
		if (!verdict.allowed) return verdict;
	}
	return { allowed: true };
}

function giveUp(why: string): void {
	end(refusal(why));
}

function refusal(why: string): GuardVerdict {
	return { allowed: false, reason: `Roost's guard could not judge this call and denied it: ${why}.` };
}

function end(verdict: GuardVerdict): void {
	if (ended) return;
	ended = true;
	const output: GuardOutput = wire?.say(verdict) ?? { stdout: '', exitCode: DENIED };
	process.exitCode = output.exitCode;
	process.stdout.on('error', () => process.exit());
	if (output.stderr !== undefined) process.stderr.write(`${output.stderr}\n`);
	process.stdout.write(output.stdout, () => process.exit());
}

/** Undefined for an invalid definition. */
export function parseDefinition(value: unknown): HooksDef | undefined {
	if (!isJsonObject(value)) return undefined;
	const [agentName, capability, worktreePath, stateDir] = ['agentName', 'capability', 'worktreePath', 'stateDir'].map((key) =>
		stringAt(value, key),
	);
	const { qualityGates = [] } = value;
	if (!agentName || !capability || !worktreePath || !stateDir || !Array.isArray(qualityGates)) return undefined;
	const gates = qualityGates.map(parseGate);
	if (gates.includes(undefined)) return undefined;
	return { agentName, capability, worktreePath, stateDir, qualityGates: gates.filter((gate) => gate !== undefined) };
}

function parseGate(value: unknown): QualityGate | undefined {
	if (!isJsonObject(value)) return undefined;
	const name = stringAt(value, 'name');
	const command = stringAt(value, 'command');
	return name === undefined || command === undefined ? undefined : { name, command };
}
