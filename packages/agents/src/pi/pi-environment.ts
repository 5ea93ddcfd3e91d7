// The environment of a driven Pi.
import { createAgentEnvironment } from '../base/agent-environment.ts';

const ANTHROPIC = 'ANTHROPIC';
export const PI_USUAL_KEY = `${ANTHROPIC}_API_KEY`;
const TOKENS = ['OAUTH_TOKEN', 'AUTH_TOKEN'].map((kind) => `${ANTHROPIC}_${kind}`);

const PROVIDERS = [
	'ANT_LING OPENAI AZURE_OPENAI DEEPSEEK NVIDIA GEMINI GOOGLE_CLOUD MISTRAL GROQ CEREBRAS XAI OPENROUTER',
	'AI_GATEWAY ZAI ZAI_CODING_CN OPENCODE RADIUS FIREWORKS TOGETHER BASETEN KIMI META MINIMAX MINIMAX_CN MOONSHOT',
	'QWEN_TOKEN_PLAN QWEN_TOKEN_PLAN_CN XIAOMI XIAOMI_TOKEN_PLAN_CN XIAOMI_TOKEN_PLAN_AMS XIAOMI_TOKEN_PLAN_SGP',
	'CLOUDFLARE',
].flatMap((line) => line.split(' '));
const KEYS = [ANTHROPIC, ...PROVIDERS].map((provider) => `${provider}_API_KEY`);

export const toPiEnvironment = createAgentEnvironment({
	inherited: [
		{
			why: 'Pi finds its configuration and its sessions, and asks the network for nothing that the user does not want',
			names: 'PI_CODING_AGENT_DIR PI_CODING_AGENT_SESSION_DIR PI_PACKAGE_DIR PI_OFFLINE PI_SKIP_VERSION_CHECK PI_TELEMETRY'.split(
				' ',
			),
		},
		{
			why: 'Pi reaches the models of its user',
			names: [...KEYS, ...TOKENS, 'HF_TOKEN', 'COPILOT_GITHUB_TOKEN', 'PI_CACHE_RETENTION'],
		},
		{
			why: 'Pi can access the cloud of its models',
			names: ['AWS_*', 'AZURE_OPENAI_*', 'GOOGLE_CLOUD_*', 'GOOGLE_APPLICATION_CREDENTIALS', 'CLOUDFLARE_*'],
		},
	],
	// They mark a nested Pi.
	withheld: ['PI_CODING_AGENT', 'AI_AGENT', 'PI_SESSION_ID', 'PI_SESSION_FILE'],
});
