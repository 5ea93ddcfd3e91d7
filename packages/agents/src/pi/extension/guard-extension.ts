// Roost's guard inside Pi: runs the guard program before each call, and blocks unless it allows the call.
import { spawn } from 'node:child_process';
import type { PiApi, PiBlock, PiContext, PiToolCall } from './pi-api.ts';
import { GUARD_VARIABLE } from './shared.ts';

/** The guard denies before that. */
const DEADLINE_MS = 15_000;

/** Pi loads the default export. @public */
export default function openGuard(pi: PiApi): void {
	const command = readCommand(process.env[GUARD_VARIABLE]);
	pi.on('tool_call', async (event, context) => block(await judge(command, event, context)));
}

function readCommand(text: string | undefined): [string, ...string[]] {
	const parsed: unknown = text === undefined ? undefined : JSON.parse(text);
	const words = Array.isArray(parsed) ? parsed.filter((word) => typeof word === 'string') : [];
	const [program, ...rest] = words;
	if (program === undefined) throw new Error(`${GUARD_VARIABLE} does not say how to run Roost's guard.`);
	return [program, ...rest];
}

type Verdict = { allowed: boolean; reason: string };

function judge(command: [string, ...string[]], event: PiToolCall, { cwd }: PiContext): Promise<Verdict> {
	const [program, ...rest] = command;
	const { toolName, input } = event;
	return new Promise((resolve) => {
		const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'ignore'], timeout: DEADLINE_MS, killSignal: 'SIGKILL' });
		let message = '';
		child.stdout.setEncoding('utf8').on('data', (text: string) => {
			message += text;
		});
		child.on('error', (error) => resolve(refusal(error.message)));
		child.on('close', (code) => resolve(code === null ? refusal('it took too long') : readVerdict(message)));
		// It may answer without reading everything.
		child.stdin.on('error', () => {});
		child.stdin.end(JSON.stringify({ toolName, input, cwd }));
	});
}

function readVerdict(text: string): Verdict {
	try {
		const verdict: unknown = JSON.parse(text);
		if (typeof verdict !== 'object' || verdict === null || !('allowed' in verdict))
			return refusal('it returned no usable answer');
		if (verdict.allowed === true) return { allowed: true, reason: '' };
		return 'reason' in verdict && typeof verdict.reason === 'string'
			? { allowed: false, reason: verdict.reason }
			: refusal('it does not say why');
	} catch {
		return refusal('its answer cannot be read');
	}
}

function refusal(why: string): Verdict {
	return { allowed: false, reason: `Roost's guard could not judge this call and denied it: ${why}.` };
}

function block({ allowed, reason }: Verdict): PiBlock | undefined {
	return allowed ? undefined : { block: true, reason };
}
