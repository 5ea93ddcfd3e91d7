// An agent that failed because its provider's key is missing: which line of config.yaml passes one to it.

/** The sentence, with that line where it tells of a missing key; `usual` is the variable where it names none. */
export function withMissingKey(agent: string, sentence: string, usual?: string): string {
	if (!TELLS_OF_KEY.test(sentence)) return sentence;
	const name = VARIABLE.exec(sentence)?.[0] ?? keyOfProvider(sentence) ?? usual;
	if (name === undefined) return sentence;
	const line = `agents: {${agent}: {env: {${name}: <value>}}}`;
	return `${sentence.replace(/[.\s]*$/, '')}. To pass it, add "${line}" to config.yaml and restart the runner with "roost down".`;
}

/** As Codex, Claude, Pi and Copilot say it. */
const TELLS_OF_KEY =
	/missing environment variable|not logged in|no api key|no models available|no authentication information|missing bearer|requires a local model provider/i;

const VARIABLE = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/;

/** "No API key found for groq", "No API key for provider: zai-coding-cn". */
function keyOfProvider(sentence: string): string | undefined {
	const provider = /no api key (?:found )?for (?:provider:? )?"?([a-z0-9-]+)/i.exec(sentence)?.[1]?.toLowerCase();
	if (provider === undefined) return undefined;
	return OTHER_NAMES[provider] ?? `${provider.toUpperCase().replaceAll('-', '_')}_API_KEY`;
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
	google: 'GEMINI_API_KEY',
	'vercel-ai-gateway': 'AI_GATEWAY_API_KEY',
	'kimi-coding': 'KIMI_API_KEY',
	'github-copilot': 'COPILOT_GITHUB_TOKEN',
	huggingface: 'HF_TOKEN',
};
