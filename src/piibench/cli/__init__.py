"""The command `piibench`: one file for each verb."""
