"""What scores depend on, where systems fail, and whether real data agrees (sections 4.6, 4.7, F.4)."""
