// What an agent may be able to do, by the id of its conformance test, in words.

export const AGENT_FEATURES = {
	start: 'starts',
	prompt: 'takes prompts',
	message: 'streams its response',
	tool: 'shows its tool calls',
	allow: 'waits for approval',
	deny: 'respects a denial',
	edit: 'runs the call as edited',
	question: 'asks questions',
	interrupt: 'is interrupted',
	steer: 'is steered in mid-turn',
	resume: 'is resumed',
	fork: 'is forked',
	usage: 'reports exact token counts',
	error: 'reports errors',
	kill: 'reports when it is killed',
	unknown: 'tolerates unknown messages',
	observed: 'is on record when you start it yourself',
	guard: 'permission hook blocked a call',
} as const;
