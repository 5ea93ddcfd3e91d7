// The gate for every tool call of a driven agent: rules first, then permission as the mode requires.
import { QUESTION_TOOL } from '@roost/core/runtime/normal-form/questions';
import { assertNever } from '@roost/protocol/assert-never';
import type { ToolInput } from '@roost/protocol/feed/base';
import { isInside } from '../base/is-inside.ts';
import type { EventReporter } from './event-reporter.ts';
import type { OpenCalls } from './turns.ts';
import type { HookVerdict } from './verdict.ts';

/** A call in the normal form. */
export type LiveCall = {
	tool_use_id: string;
	tool_name: string;
	tool_input: ToolInput;
	/** The agent's own name of the tool. */
	native_tool_name?: string;
	/** The agent's own timeout. */
	longest_ms?: number | undefined;
	/** Of the subagent that makes the call. */
	agent_id?: string;
	agent_type?: string;
};

/** `ask` was resolved here already. */
export type GateVerdict = Extract<HookVerdict, { type: 'allow' | 'deny' }>;

export type LiveGate = ReturnType<typeof createLiveGate>;

export function createLiveGate(deps: {
	reporter: EventReporter;
	calls: OpenCalls;
	cwd: string;
	allowedTools: readonly string[] | undefined;
	/** A call was denied with a request to stop the turn. */
	interrupt: () => void;
}) {
	const { reporter, calls } = deps;
	const reachable = deps.allowedTools && new Set(deps.allowedTools);

	/** Abandoned when the agent stops waiting; the result must not be an allow then. */
	function ask(
		hookName: 'PreToolUse' | 'PermissionRequest',
		call: LiveCall,
		signal: AbortSignal | undefined,
	): Promise<HookVerdict> {
		return new Promise((resolve) => {
			if (signal?.aborted) return resolve(ABANDONED);
			const abandon = reporter.ask(hookName, { ...call }, (verdict) => {
				if (verdict.type === 'deny' && verdict.interrupt) deps.interrupt();
				resolve(verdict);
			});
			signal?.addEventListener('abort', () => {
				abandon();
				resolve(ABANDONED);
			});
		});
	}

	async function pass(call: LiveCall, signal: AbortSignal | undefined): Promise<HookVerdict> {
		calls.open({ ...call });
		if (!reachable || reachable.has(call.tool_name)) return await ask('PreToolUse', call, signal);
		reporter.report('PreToolUse', { ...call });
		return { type: 'deny', message: `${call.tool_name} is not among the tools this session may use.` };
	}

	async function permitted(call: LiveCall, signal: AbortSignal | undefined): Promise<GateVerdict> {
		// Questions are asked in every mode.
		if (call.tool_name === QUESTION_TOOL) return await wanted(call, signal);
		switch (LIVE_MODES.get(reporter.mode())) {
			case 'allows':
				return { type: 'allow' };
			case 'refuses':
				return READ_TOOLS.has(call.tool_name) ? await wanted(call, signal) : { type: 'deny', message: PLAN_REASON };
			case 'edits':
				return (await isOwnEdit(call, deps.cwd)) ? { type: 'allow' } : await wanted(call, signal);
			default:
				return await wanted(call, signal);
		}
	}

	async function wanted(call: LiveCall, signal: AbortSignal | undefined): Promise<GateVerdict> {
		return settled(await ask('PermissionRequest', call, signal), { type: 'deny', message: 'This call was not approved.' });
	}

	return {
		/** For a call that needs no permission: only rules can deny it. */
		announce: async (call: LiveCall, signal?: AbortSignal) => settled(await pass(call, signal), { type: 'allow' }),
		/** For a call that needs permission; it is announced first unless it was before. */
		async permit(call: LiveCall, signal?: AbortSignal): Promise<GateVerdict> {
			const verdict = calls.find(call.tool_use_id) ? NO_OBJECTION : await pass(call, signal);
			return verdict.type === 'none' || verdict.type === 'ask' ? await permitted(call, signal) : verdict;
		},
	};
}

const NO_OBJECTION: HookVerdict = { type: 'none' };
const ABANDONED: HookVerdict = { type: 'deny', message: 'The agent stopped waiting.' };
const PLAN_REASON = 'In plan mode nothing is executed: put it into the plan.';
const READ_TOOLS: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep', 'LS', 'WebSearch']);
const EDIT_TOOLS: ReadonlySet<string> = new Set(['Write', 'Edit']);

/** Applies the default to a verdict without an opinion. */
function settled(verdict: HookVerdict, otherwise: GateVerdict): GateVerdict {
	switch (verdict.type) {
		case 'allow':
		case 'deny':
			return verdict;
		case 'none':
			return otherwise;
		// A rule requires an ask at a point where this agent cannot ask.
		case 'ask':
			return { type: 'deny', message: verdict.message ?? 'A rule requires approval, which this agent cannot request here.' };
		default:
			return assertNever(verdict);
	}
}

async function isOwnEdit({ tool_name, tool_input }: LiveCall, cwd: string): Promise<boolean> {
	const path = tool_input.file_path;
	return EDIT_TOOLS.has(tool_name) && typeof path === 'string' && (await isInside(cwd, path));
}

/** `asks`: rules or people decide. `edits`: edits inside the project are allowed. `refuses`: read-only. `allows`: everything. */
type ModeRule = 'asks' | 'edits' | 'refuses' | 'allows';

/** In `dontAsk` the controller denies what no rule allows, at the permission request. */
const LIVE_MODES: ReadonlyMap<string, ModeRule> = new Map<string, ModeRule>([
	['default', 'asks'],
	['acceptEdits', 'edits'],
	['plan', 'refuses'],
	['dontAsk', 'asks'],
	['bypassPermissions', 'allows'],
]);

/** Null where the mode is supported. */
export function refuseMode(mode: string): string | null {
	return LIVE_MODES.has(mode) ? null : `"${mode}" is not a permission mode: choose one of ${[...LIVE_MODES.keys()].join(', ')}.`;
}

/** Characters of model names; never what could be read as a flag. */
const MODEL = /^[A-Za-z0-9][\w.:/@[\]-]{0,199}$/;

export function refuseModel(model: string | undefined): string | null {
	return model === undefined || MODEL.test(model) ? null : `"${model}" is not the name of a model.`;
}
