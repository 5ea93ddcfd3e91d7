// Files that decide what runs or who may log in, and places outside anybody's project.
import { normalisePath } from '../rules/normalise-path.ts';

export function isSensitivePath(path: string): boolean {
	const normal = normalisePath(path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, '/home'));
	return normal.startsWith('..') || SYSTEM.test(normal) || SENSITIVE.test(normal);
}

const SYSTEM = /^\/(?:etc|usr|bin|sbin|lib|lib64|boot|dev|proc|sys|root|System|Library|Applications)(?:\/|$)/;
const SENSITIVE = new RegExp(
	`(?:^|/)(?:${[
		'\\.ssh|\\.gnupg|\\.aws|\\.kube|\\.docker|\\.config/gh|\\.claude|\\.codex|\\.pi|\\.copilot|\\.git|\\.husky|\\.github/(?:workflows|hooks)|LaunchAgents',
		'\\.(?:bash|zsh)(?:rc|_profile|env|_login|_logout)|\\.zprofile|\\.profile|\\.gitconfig|\\.npmrc|\\.pypirc|\\.netrc|\\.envrc',
		'\\.env(?:\\.[^/]*)?|authorized_keys|crontab|\\.mcp\\.json',
	].join('|')})(?:/|$)`,
);
