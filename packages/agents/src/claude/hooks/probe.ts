// Tests the hooks of an enforced launch without claude, by firing the entries of its settings file.
import { readFileSync, rmSync } from 'node:fs';
import { parseJson } from '@roost/core/display/parse-json';
import { hookProgramEnvironment } from '@roost/core/runtime/child-environment';
import { writePrivateFile } from '@roost/machine/private-file';
import { runProgram } from '@roost/machine/run-program';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import { hookEnvironment } from '../../hooks/hook-environment.ts';
import type { OpenProbe, ProbeAnswer } from '../../kind/observed-kind.ts';
import { launchHooks } from '../launch-settings.ts';

/** Written and read back, so that the file itself is tested. */
export const openClaudeProbe: OpenProbe = ({ hooks, session, env, forwarder, runDir, timeoutMs }) => {
	const written = writePrivateFile(runDir, launchHooks(hooks, { forwarder, gate: 'enforce', env }), `probe-${session}.json`);
	if (!written.ok) return written;
	try {
		const settings = firedSettings.parse(JSON.parse(readFileSync(written.value, 'utf8')));
		const [start, gate] = ['SessionStart', 'PreToolUse'].map((event) => settings.hooks[event]?.[0].hooks[0]);
		if (!start || !gate) return err(new AppError('internal', 'the settings of a launch lack the entries that gate it'));
		const own = { ...env, ...hookEnvironment({ ...hooks, gate: 'enforce', session }), ...settings.env };
		return ok({
			start: (payload) => fireEntry(start, { env: own, payload: { ...payload, hook_event_name: 'SessionStart' }, timeoutMs }),
			call: (payload, secret) =>
				fireEntry(gate, {
					env: secret === undefined ? own : { ...own, ROOST_HOOK_SECRET: secret },
					payload: { ...payload, hook_event_name: 'PreToolUse' },
					timeoutMs,
				}),
		});
	} finally {
		rmSync(written.value, { force: true });
	}
};

const firedEntry = z.discriminatedUnion('type', [
	z.object({
		type: z.literal('http'),
		url: z.string(),
		headers: z.record(z.string(), z.string()),
		allowedEnvVars: z.array(z.string()),
	}),
	z.object({ type: z.literal('command'), command: z.string(), args: z.array(z.string()) }),
]);
export type FiredEntry = z.infer<typeof firedEntry>;

const firedSettings = z.object({
	env: z.record(z.string(), z.string()),
	hooks: z.record(z.string(), z.tuple([z.object({ hooks: z.tuple([firedEntry]) })])),
});

type Shot = { env: NodeJS.ProcessEnv; payload: Record<string, unknown>; timeoutMs: number };

export async function fireEntry(entry: FiredEntry, shot: Shot): Promise<Result<ProbeAnswer>> {
	try {
		return entry.type === 'http' ? await post(entry, shot) : await runCommand(entry, shot);
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : String(cause);
		return err(new AppError('agent_failed', `the hook entry could not be fired: ${why}`, { cause }));
	}
}

async function post(
	entry: Extract<FiredEntry, { type: 'http' }>,
	{ env, payload, timeoutMs }: Shot,
): Promise<Result<ProbeAnswer>> {
	const headers = Object.entries(entry.headers).map(([name, value]) => [name, expand(value, entry.allowedEnvVars, env)]);
	const response = await fetch(entry.url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...Object.fromEntries(headers) },
		body: JSON.stringify(payload),
		signal: AbortSignal.timeout(timeoutMs),
	});
	const text = await response.text();
	if (response.status === 401) return ok({ type: 'refused' });
	return response.ok ? ok(read(text)) : ok({ type: 'other', text: `${response.status} ${text}` });
}

/** Only variables that the entry names are expanded. */
function expand(value: string, allowed: readonly string[], env: NodeJS.ProcessEnv): string {
	return value.replace(/\$(\w+)/g, (whole, name) => (allowed.includes(name) ? (env[name] ?? '') : whole));
}

async function runCommand(
	{ command, args }: Extract<FiredEntry, { type: 'command' }>,
	{ env, payload, timeoutMs }: Shot,
): Promise<Result<ProbeAnswer>> {
	const input = `${JSON.stringify(payload)}\n`;
	const ended = await runProgram([command, ...args], { env: hookProgramEnvironment(env), limitMs: timeoutMs, input }).ended;
	if (!ended.ok) throw ended.error;
	const { code, signal, stdout, stderr } = ended.value;
	return ok(code === 0 ? read(stdout) : { type: 'other', text: `it ended with ${signal ?? code}: ${stderr}` });
}

const denial = z.object({
	hookSpecificOutput: z.object({ permissionDecision: z.literal('deny'), permissionDecisionReason: z.string() }),
});

function read(text: string): ProbeAnswer {
	if (text.trim() === '') return { type: 'silent' };
	const denied = denial.safeParse(parseJson(text));
	if (denied.success) return { type: 'denied', reason: denied.data.hookSpecificOutput.permissionDecisionReason };
	return { type: 'other', text };
}
