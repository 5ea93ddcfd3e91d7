// What people call models, and what each agent takes for it: the only such table.

/** An agent that is not named there has no such model. */
const ALIASES: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
	['opus', { claude: 'opus', pi: 'claude-opus-5-5', copilot: 'claude-opus-5.5' }],
	['sonnet', { claude: 'sonnet', pi: 'claude-sonnet-5', copilot: 'claude-sonnet-5' }],
	['haiku', { claude: 'haiku', pi: 'claude-haiku-4-5', copilot: 'claude-haiku-4.5' }],
]);

export function aliasFor(agent: string, model: string): string | undefined {
	return ALIASES.get(model)?.[agent];
}

export function isAlias(model: string): boolean {
	return ALIASES.has(model);
}
