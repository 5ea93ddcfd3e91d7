// How the user's own pi is started or set up so that it reports to Roost, and how it is answered.
import { isHarmlessTool } from '@roost/core/controller/harmless-tools';
import { programFile } from '@roost/core/process/program-files';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { ok } from '@roost/protocol/result';
import { beforeOperands } from '../base/argv.ts';
import { observedCapabilities } from '../base/capabilities.ts';
import { isJsonObject, type JsonObject, stringAt } from '../base/json-object.ts';
import { readRuntimeEvent } from '../base/to-event.ts';
import type { HookResultPayload } from '../hooks/envelope.ts';
import type { HookProtocol } from '../hooks/launch-runtime.ts';
import { MARKER } from '../install/installed-hooks.ts';
import { agentFolder, ownFileHooks, type UserHooksPlace } from '../install/user-hooks.ts';
import type { Launchable } from '../kind/observed-kind.ts';
import { fitVerdict, type HookVerdict, toHookVerdict } from '../live/verdict.ts';
import type { InstalledKeys } from './extension/installed-extension.ts';
import type { ReportAnswer } from './extension/shared.ts';
import { toNativeInput, toNormalCall } from './tools.ts';

type PiArgs = ReturnType<typeof readPiArgs>;

const COMMANDS = new Set(['install', 'remove', 'uninstall', 'update', 'list', 'config', 'auth']);
const ANSWERS_AND_EXITS = new Set(['--help', '-h', '--version', '-v', '--export', '--list-models']);
const WITHOUT_TERMINAL = new Set(['-p', '--print', '--mode']);

export function readPiArgs(args: readonly string[]) {
	const options = beforeOperands(args);
	return {
		args,
		headless: options.some((arg) => WITHOUT_TERMINAL.has(arg)),
		managementOnly: COMMANDS.has(args[0] ?? '') || options.some((arg) => ANSWERS_AND_EXITS.has(arg)),
	};
}

/** An extension on the command line is always loaded. In enforce mode the repository's extensions, which share the process, are not. */
export function toPiArgv({ args }: PiArgs, gate: GateMode = 'observe'): string[] {
	const options = beforeOperands(args);
	const untrusted = gate === 'enforce' ? ['--no-approve'] : [];
	return ['--extension', programFile('piReport'), ...options, ...untrusted, ...args.slice(options.length)];
}

export const PI_LAUNCH = {
	read: async ({ args }) => ok(readPiArgs(args)),
	prepare: async ({ args, gate }) => ok({ argv: toPiArgv(readPiArgs(args), gate), says: [] }),
} satisfies Launchable;

const PI_OBSERVED_CAPABILITIES = observedCapabilities('pi');

/** The extension sends normal hook names with Pi's own tools, which are converted here. */
export const PI_HOOK_PROTOCOL: HookProtocol = {
	capabilities: PI_OBSERVED_CAPABILITIES,
	toEvents(envelope) {
		const { request_id: id, ts: timestamp, hook_event_name: hookName, session_id: sessionId } = envelope;
		const payload = isJsonObject(envelope.payload) ? envelope.payload : { value: envelope.payload };
		return [readRuntimeEvent({ id, timestamp, sessionId }, hookName, toNormalPayload(payload))];
	},
	fit: fitVerdict,
	// The extension asks by itself.
	permits: null,
	toResult(event, decision) {
		const verdict: HookVerdict = toHookVerdict(event, decision) ?? { type: 'none' };
		// Pi does not ask by itself: a harmless call that no rule denies is allowed.
		const isQuiet = event.hookName === 'PreToolUse' && isHarmlessTool(event.toolName ?? '');
		if (verdict.type === 'none') return isQuiet ? ALLOWED : { action: 'passthrough' };
		return { action: 'json_output', stdout_json: toAnswer(verdict, isJsonObject(event.payload) ? event.payload : {}) };
	},
};

function toNormalPayload(payload: JsonObject): JsonObject {
	const name = stringAt(payload, 'tool_name');
	const input = payload.tool_input;
	if (name === undefined || !isJsonObject(input)) return payload;
	return { ...payload, ...toNormalCall({ name, input }, placeOf(payload)), native_tool_name: name };
}

const ALLOWED: HookResultPayload = { action: 'json_output', stdout_json: { verdict: 'allow' } satisfies ReportAnswer };

function toAnswer(verdict: Exclude<HookVerdict, { type: 'none' }>, payload: JsonObject): ReportAnswer {
	if (verdict.type === 'ask') return { verdict: 'ask' };
	if (verdict.type === 'deny') return { verdict: 'deny', reason: verdict.message };
	if (!verdict.updatedInput) return { verdict: 'allow' };
	const input = toNativeInput(stringAt(payload, 'native_tool_name') ?? '', verdict.updatedInput, placeOf(payload));
	return input ? { verdict: 'allow', input } : { verdict: 'deny', reason: 'The call cannot be made as it was changed.' };
}

function placeOf(payload: JsonObject): { cwd: string } {
	return { cwd: stringAt(payload, 'cwd') ?? '/' };
}

export const PI_USER_HOOKS = ownFileHooks({
	agent: 'pi',
	folder: (env) => agentFolder(env, 'PI_CODING_AGENT_DIR', '.pi', 'agent'),
	path: ['extensions', 'roost.js'],
	toText,
	adds: 'Adds an extension',
});

/** Pi does not start if an extension fails to load: without Roost this one does nothing. */
function toText({ socketPath, secretsDir, startFile }: UserHooksPlace): string {
	const keys: InstalledKeys = { socket: socketPath, secrets: secretsDir, start: startFile };
	return `// ${MARKER} Written by "roost hooks install --agent pi"; "roost hooks uninstall --agent pi" removes it.
export default async function (pi) {
	try {
		const { openInstalled } = await import(${JSON.stringify(programFile('piInstalled'))});
		openInstalled(pi, ${JSON.stringify(keys)});
	} catch {
		// Roost is not there any more.
	}
}
`;
}
