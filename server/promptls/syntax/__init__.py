"""The languages that formats are written in: each knows where in the file everything stands."""
