// The variables by which those who serve models are reached, for agents that work with any of them.
import type { Inherited } from './agent-environment.ts';

export const PROVIDER_VARIABLES: Inherited = {
	why: 'the agent reaches whichever model the user chose',
	names: [
		...['ANTHROPIC_*', 'OPENAI_*', 'AZURE_OPENAI_*', 'GEMINI_*', 'GOOGLE_*', 'GCLOUD_*', 'VERTEX_*', 'AWS_*', 'OPENROUTER_*'],
		...['MISTRAL_*', 'GROQ_*', 'XAI_*', 'DEEPSEEK_*', 'CEREBRAS_*', 'FIREWORKS_*', 'TOGETHER_*', 'BASETEN_*', 'NVIDIA_API_KEY'],
		...[
			'AI_GATEWAY_*',
			'CLOUDFLARE_*',
			'OPENCODE_*',
			'HF_TOKEN',
			'META_API_KEY',
			'LLAMA_*',
			'OLLAMA_*',
			'ANT_LING_*',
			'RADIUS_*',
		],
		...['ZAI_*', 'MINIMAX_*', 'MOONSHOT_*', 'KIMI_*', 'QWEN_*', 'XIAOMI_*', 'COPILOT_GITHUB_TOKEN'],
	],
};
