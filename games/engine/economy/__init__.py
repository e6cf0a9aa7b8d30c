"""What seats hold and exchange: purses, auctions and trade offers."""
