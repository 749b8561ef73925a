"""The files of results that other tools read: SARIF, JUnit's XML, and Markdown for GitHub."""
