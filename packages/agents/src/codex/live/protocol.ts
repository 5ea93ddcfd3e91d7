// Messages of the app-server that Roost reads. Unknown fields, methods and items are tolerated.
import { z } from 'zod';

const usage = z.object({
	inputTokens: z.number(),
	cachedInputTokens: z.number(),
	cacheWriteInputTokens: z.number().default(0),
	outputTokens: z.number(),
	reasoningOutputTokens: z.number().optional(),
});
export type NativeUsage = z.infer<typeof usage>;

const fileChange = z.object({
	path: z.string(),
	kind: z.object({ type: z.enum(['add', 'delete', 'update']), move_path: z.string().nullish() }),
	diff: z.string(),
});

const lifecycle = { id: z.string(), status: z.string(), durationMs: z.number().nullish() };

const knownItem = z.discriminatedUnion('type', [
	z.object({ type: z.literal('agentMessage'), id: z.string(), text: z.string() }),
	z.object({
		type: z.literal('commandExecution'),
		...lifecycle,
		command: z.string(),
		aggregatedOutput: z.string().nullish(),
		exitCode: z.number().nullish(),
	}),
	z.object({ type: z.literal('fileChange'), ...lifecycle, changes: z.array(fileChange) }),
	z.object({
		type: z.literal('mcpToolCall'),
		...lifecycle,
		server: z.string(),
		tool: z.string(),
		arguments: z.unknown().optional(),
		result: z.object({ content: z.array(z.unknown()) }).nullish(),
		error: z.object({ message: z.string() }).nullish(),
	}),
	z.object({ type: z.literal('webSearch'), id: z.string(), query: z.string().nullish() }),
	z.object({
		type: z.literal('subAgentActivity'),
		id: z.string(),
		kind: z.string(),
		agentThreadId: z.string(),
		agentPath: z.string(),
	}),
	z.object({ type: z.literal('contextCompaction'), id: z.string() }),
]);
export type KnownItem = z.infer<typeof knownItem>;
export type ItemOf<T extends KnownItem['type']> = Extract<KnownItem, { type: T }>;

/** Undefined for other items, such as reasoning. */
const item = knownItem.optional().catch(undefined);

const turnError = z.object({ message: z.string(), codexErrorInfo: z.unknown().optional() });
export type NativeTurnError = z.infer<typeof turnError>;

const inThread = { threadId: z.string() };

function notice<M extends string, S extends z.ZodRawShape>(method: M, shape: S) {
	return z.object({ method: z.literal(method), params: z.object(shape) });
}

const knownNotice = z.discriminatedUnion('method', [
	notice('turn/started', { ...inThread, turn: z.object({ id: z.string() }) }),
	notice('turn/completed', {
		...inThread,
		turn: z.object({ id: z.string(), status: z.string(), error: turnError.nullish() }),
	}),
	notice('item/started', { ...inThread, turnId: z.string(), item }),
	notice('item/completed', { ...inThread, turnId: z.string(), item }),
	notice('item/agentMessage/delta', { ...inThread, itemId: z.string(), delta: z.string() }),
	notice('thread/tokenUsage/updated', { ...inThread, tokenUsage: z.object({ total: usage, last: usage }) }),
	notice('serverRequest/resolved', { requestId: z.union([z.string(), z.number()]) }),
	notice('model/rerouted', { ...inThread, fromModel: z.string(), toModel: z.string() }),
	notice('error', { ...inThread, error: turnError, willRetry: z.boolean() }),
	notice('warning', { message: z.string() }),
	notice('guardianWarning', { message: z.string() }),
	notice('deprecationNotice', { summary: z.string() }),
]);
export type Notice = z.infer<typeof knownNotice>;

/** Null for ignored notifications; undefined for unknown ones. */
export function parseNotice(method: string, params: unknown): Notice | null | undefined {
	if (isIgnored(method)) return null;
	const parsed = knownNotice.safeParse({ method, params });
	return parsed.success ? parsed.data : undefined;
}

const asked = { ...inThread, itemId: z.string() };

const knownRequest = z.discriminatedUnion('method', [
	notice('item/commandExecution/requestApproval', {
		...asked,
		approvalId: z.string().nullish(),
		command: z.string().nullish(),
	}),
	notice('item/fileChange/requestApproval', asked),
	notice('item/tool/requestUserInput', {
		...asked,
		questions: z.array(
			z.object({
				id: z.string(),
				question: z.string(),
				header: z.string().nullish(),
				options: z.array(z.object({ label: z.string(), description: z.string().nullish() })).nullish(),
			}),
		),
	}),
	notice('item/permissions/requestApproval', { ...asked, reason: z.string().nullish() }),
	notice('mcpServer/elicitation/request', {
		...inThread,
		serverName: z.string(),
		message: z.string().default(''),
		_meta: z.looseObject({ codex_approval_kind: z.string().nullish(), tool_params: z.unknown().optional() }).nullish(),
	}),
]);
export type ServerRequest = z.infer<typeof knownRequest>;

/** Undefined for unknown requests. */
export function parseServerRequest(method: string, params: unknown): ServerRequest | undefined {
	const parsed = knownRequest.safeParse({ method, params });
	return parsed.success ? parsed.data : undefined;
}

/** Response of `thread/start`, `thread/resume` and `thread/fork`. */
export const threadOpened = z.object({
	thread: z.object({ id: z.string(), path: z.string().nullish() }),
	model: z.string(),
	modelProvider: z.string().optional().catch(undefined),
	approvalPolicy: z.unknown().optional(),
});

export const initialized = z.object({ userAgent: z.string() });

const listedHook = z.object({
	key: z.string(),
	eventName: z.string(),
	command: z.string().nullish(),
	currentHash: z.string(),
	trustStatus: z.string(),
	enabled: z.boolean(),
	/** Managed by an organisation, cannot be disabled. */
	isManaged: z.boolean().default(false),
});
export type ListedHook = z.infer<typeof listedHook>;

export const hooksListed = z.object({ data: z.array(z.object({ hooks: z.array(listedHook) })) });

const DECIDING: ReadonlySet<string> = new Set(['preToolUse', 'permissionRequest']);

/** With several hooks the last answer decides the input of a call. */
export function decidingHooks(hooks: readonly ListedHook[]): ListedHook[] {
	return hooks.filter(({ eventName }) => DECIDING.has(eventName));
}

const UNHEARD: Record<string, string> = {
	'parts of messages that also arrive whole':
		'item/commandExecution/outputDelta item/commandExecution/terminalInteraction item/fileChange/outputDelta item/fileChange/patchUpdated item/mcpToolCall/progress item/plan/delta item/reasoning/summaryPartAdded item/reasoning/summaryTextDelta item/reasoning/textDelta rawResponse/completed rawResponseItem/completed turn/diff/updated turn/plan/updated turn/moderationMetadata',
	'progress between two events':
		'thread/started thread/status/changed thread/closed thread/settings/updated thread/queue/changed thread/readState/changed thread/prediction/updated thread/name/updated thread/environment/connected thread/environment/disconnected model/safetyBuffering/updated model/verification remoteControl/status/changed mcpServer/startupStatus/updated mcpServer/event/stream/notification mcpServer/oauthLogin/completed',
	'hooks of Roost itself': 'hook/started hook/completed',
	'reviews of calls by a model, which Roost does not use':
		'item/autoApprovalReview/started item/autoApprovalReview/completed autoApprovalReview/strictReviewRequired',
	'events outside of the conversation':
		'account/gatewayOAuth/changed account/login/completed account/rateLimits/updated account/updated app/list/updated command/exec/outputDelta configWarning externalAgentConfig/import/completed externalAgentConfig/import/progress fs/changed fuzzyFileSearch/sessionCompleted fuzzyFileSearch/sessionUpdated modelProvider/authRecoveryCompleted modelProvider/authRecoveryStarted process/exited process/outputDelta project/changed skills/changed thread/archived thread/unarchived thread/deleted thread/attachment/updated thread/project/updated windows/worldWritableWarning windowsSandbox/setupCompleted',
	'also reported by the conversation': 'thread/compacted thread/reverted thread/goal/cleared thread/goal/updated',
	'speech, which Roost does not use':
		'thread/realtime/closed thread/realtime/error thread/realtime/item/completed thread/realtime/item/started thread/realtime/item/transcript/delta thread/realtime/itemAdded thread/realtime/outputAudio/delta thread/realtime/sdp thread/realtime/started thread/realtime/transcript/delta thread/realtime/transcript/done',
};

const METHODS: ReadonlySet<string> = new Set(Object.values(UNHEARD).flatMap((names) => names.split(' ')));

function isIgnored(method: string): boolean {
	return METHODS.has(method);
}
