// Without a console, a sign-in link (`/#token=…`) leads to the reference, which accepts the token.
if (location.hash.startsWith('#token=')) location.replace(`/docs${location.hash}`);
