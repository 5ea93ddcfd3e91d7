// Files for secrets, by name: redaction may not recognise their content, so it is neither read nor kept.

const SECRET_FILES =
	/(?:^|\/)(?:\.env(?:\.[^/]*)?|\.envrc|\.netrc|\.npmrc|\.pypirc|\.ssh|\.gnupg|\.aws|\.kube|\.docker|\.config\/gh|[^/]*\.(?:pem|key|p12|pfx|keystore|kdbx))(?:\/|$)/i;

export function isSecretFile(path: string): boolean {
	return SECRET_FILES.test(path);
}
