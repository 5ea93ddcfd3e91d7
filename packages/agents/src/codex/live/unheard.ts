// What the app-server says that Roost knows and makes nothing of, each for its reason. Whatever is not here is told as it is.

const UNHEARD: Record<string, string> = {
	'pieces of what comes whole':
		'item/commandExecution/outputDelta item/commandExecution/terminalInteraction item/fileChange/outputDelta item/fileChange/patchUpdated item/mcpToolCall/progress item/plan/delta item/reasoning/summaryPartAdded item/reasoning/summaryTextDelta item/reasoning/textDelta rawResponse/completed rawResponseItem/completed turn/diff/updated turn/plan/updated turn/moderationMetadata',
	'signs of life between two facts':
		'thread/started thread/status/changed thread/closed thread/settings/updated thread/queue/changed thread/readState/changed thread/prediction/updated thread/name/updated thread/environment/connected thread/environment/disconnected model/safetyBuffering/updated model/verification remoteControl/status/changed mcpServer/startupStatus/updated mcpServer/event/stream/notification mcpServer/oauthLogin/completed',
	'hooks, which are ours': 'hook/started hook/completed',
	'what a model decides about calls: rules and people do here':
		'item/autoApprovalReview/started item/autoApprovalReview/completed autoApprovalReview/strictReviewRequired',
	'what happens outside of the conversation':
		'account/gatewayOAuth/changed account/login/completed account/rateLimits/updated account/updated app/list/updated command/exec/outputDelta configWarning externalAgentConfig/import/completed externalAgentConfig/import/progress fs/changed fuzzyFileSearch/sessionCompleted fuzzyFileSearch/sessionUpdated modelProvider/authRecoveryCompleted modelProvider/authRecoveryStarted process/exited process/outputDelta project/changed skills/changed thread/archived thread/unarchived thread/deleted thread/attachment/updated thread/project/updated windows/worldWritableWarning windowsSandbox/setupCompleted',
	'the conversation itself tells of it': 'thread/compacted thread/reverted thread/goal/cleared thread/goal/updated',
	'speech, which Roost does not start':
		'thread/realtime/closed thread/realtime/error thread/realtime/item/completed thread/realtime/item/started thread/realtime/item/transcript/delta thread/realtime/itemAdded thread/realtime/outputAudio/delta thread/realtime/sdp thread/realtime/started thread/realtime/transcript/delta thread/realtime/transcript/done',
};

const METHODS: ReadonlySet<string> = new Set(Object.values(UNHEARD).flatMap((names) => names.split(' ')));

export function isUnheard(method: string): boolean {
	return METHODS.has(method);
}
