"""The scores of Appendix F, as pure functions."""
